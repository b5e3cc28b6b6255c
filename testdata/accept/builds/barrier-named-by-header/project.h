// What a project writes in each of its kernels.
#ifndef PROJECT_MACROS_H
#define PROJECT_MACROS_H
#define GLOBAL_KERNEL __global__ static
#define LDS_BARRIER() __syncthreads()
#define OFFSET(r, c, ld) ((r) * (ld) + (c))
#define FETCH4(p) (reinterpret_cast<const float4 *>(&(p))[0])
#define STORE4(p) (reinterpret_cast<float4 *>(&(p))[0])
#define UNROLL _Pragma("unroll")
#endif
