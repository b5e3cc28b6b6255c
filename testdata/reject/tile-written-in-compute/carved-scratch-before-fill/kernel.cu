// Each round hands the sums on before it fills the tile, in the same block of shared memory.
#include <cuda_runtime.h>

__global__ void relax(const float *__restrict__ A, float *__restrict__ out, int n, int width)
{
    extern __shared__ float smem[];
    float *sums = smem;
    float *tile = smem + width;
    const int t = threadIdx.x;
    float sum = 0.f;

    sums[t] = 0.f;
    for (int k = 0; k < n; ++k) {
        sums[t] = sum;
        __syncthreads();
        tile[t] = A[k * width + t];
        __syncthreads();
        for (int i = 0; i < width; ++i)
            sum += tile[i] * sums[i];
        __syncthreads();
    }
    out[t] = sum;
}
