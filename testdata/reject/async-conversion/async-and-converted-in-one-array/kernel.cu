// Two halves of one array, the one copied as it is and the other converted: an array goes one way.
#include <cuda_fp16.h>

__global__ void dots(const float *__restrict__ X, const __half *__restrict__ Y, float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 128) {
        tile[threadIdx.x] = X[k0 + threadIdx.x];
        tile[128 + threadIdx.x] = __half2float(Y[k0 + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            acc += tile[k] * tile[128 + (k + threadIdx.x) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
