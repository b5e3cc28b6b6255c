// Threads behind the last row leave the kernel ahead of the loop: a barrier that counts them waits for ever.
#include <cuda_runtime.h>

__global__ void row_energy(const float *__restrict__ field, const float *__restrict__ rows, float *__restrict__ out,
                           int count, int n)
{
    __shared__ float tile[96];
    int row = blockIdx.x * 128 + threadIdx.x;
    if (row >= count)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 96) {
        if (threadIdx.x < 96)
            tile[threadIdx.x] = field[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 96; ++i)
            sum += tile[i] * rows[row * 96 + i];
        __syncthreads();
    }
    out[row] = sum;
}

// Here all threads of a block come to the loop, or none.
__global__ void some_blocks(const float *__restrict__ field, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    if (blockIdx.x > 0 && n > 64) {
        for (int k = 0; k < n; k += 64) {
            if (threadIdx.x < 64)
                tile[threadIdx.x] = field[k + threadIdx.x];
            __syncthreads();
            sum += tile[(threadIdx.x * 7) % 64];
            __syncthreads();
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
