// The barrier behind compute stands in the header.
#include <cuda_runtime.h>
__global__ void row_dots(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    __shared__ float xs[32];
    float acc = 0.f;
    for (int k = 0; k < m; k += 32, __syncthreads()) {
        if (threadIdx.x < 32) xs[threadIdx.x] = k + threadIdx.x < m ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        if (threadIdx.x < n)
            for (int j = 0; j < 32 && k + j < m; ++j) acc += A[threadIdx.x * m + k + j] * xs[j];
    }
    if (threadIdx.x < n) y[threadIdx.x] = acc;
}
