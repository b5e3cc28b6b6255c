// Rows of 32 floats are shorter than a bulk copy is worth; a transposed tile has no rows at all.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) short_rows(const float *__restrict__ a, float *__restrict__ out, int ld, int n)
{
    __shared__ float tile[32][32];
    float sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        for (int i = threadIdx.x; i < 32 * 32; i += 256)
            tile[i / 32][i % 32] = a[(i / 32) * ld + k + i % 32];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += tile[threadIdx.x % 32][i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) turned(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[128][4];
    float sum = 0.0f;
    for (int k = 0; k < n; k += 4) {
        for (int i = threadIdx.x; i < 4 * 128; i += 256)
            tile[i % 128][i / 128] = a[(k + i / 128) * 128 + i % 128];
        __syncthreads();
        for (int i = 0; i < 4; ++i)
            sum += tile[threadIdx.x % 128][i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
