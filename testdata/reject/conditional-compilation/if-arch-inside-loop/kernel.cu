#include <cuda_runtime.h>

template <int TS>
__global__ void dot_tiles(const int *__restrict__ p, const int *__restrict__ q,
                          int *__restrict__ out, int len)
{
    __shared__ int sp[TS];
    __shared__ int sq[TS];
    const unsigned tid = threadIdx.x;
    int acc = 0;
    for (int base = 0; base < len; base += TS) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        sp[tid ^ 1] = p[base + (tid ^ 1)];
        sq[tid ^ 1] = q[base + (tid ^ 1)];
#else
        sp[tid] = p[base + tid];
        sq[tid] = q[base + tid];
#endif
        __syncthreads();
        for (int i = 0; i < TS; ++i)
            acc = __dp4a(sp[i], sq[(i + tid) % TS], acc);
        __syncthreads();
    }
    out[blockIdx.x * TS + tid] = acc;
}

template __global__ void dot_tiles<64>(const int *, const int *, int *, int);
