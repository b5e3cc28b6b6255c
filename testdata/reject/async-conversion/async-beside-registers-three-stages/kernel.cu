// One tile can be copied asynchronously, the other is converted: registers hold one tile ahead, not two.
#include <cuda_fp16.h>

__global__ void dots(const float4 *__restrict__ X, const __half *__restrict__ Y, float *__restrict__ out, int n)
{
    __shared__ float4 xs[64];
    __shared__ float ys[256];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 256) {
        if (threadIdx.x < 64)
            xs[threadIdx.x] = X[k0 / 4 + threadIdx.x];
        ys[threadIdx.x] = __half2float(Y[k0 + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc += xs[k].x * ys[(k + threadIdx.x) % 256];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
