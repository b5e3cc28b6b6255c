// Threads behind the last row go around the loop, or end by assembly: a barrier that counts those there may wait for ever.
#include <cuda_runtime.h>

__global__ void row_energy(const float *__restrict__ field, const float *__restrict__ rows, float *__restrict__ out,
                           int count, int n)
{
    __shared__ float tile[96];
    int row = blockIdx.x * 128 + threadIdx.x;
    float sum = 0.0f;
    if (row < count) {
        for (int k = 0; k < n; k += 96) {
            if (threadIdx.x < 96)
                tile[threadIdx.x] = field[k + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 96; ++i)
                sum += tile[i] * rows[row * 96 + i];
            __syncthreads();
        }
    }
    out[row] = sum;
}

// Not the same threads return each time, and barriers would be made of those that were there once.
__global__ void field_by_field(const float *__restrict__ fields, float *__restrict__ out, int n, int count)
{
    __shared__ float tile[128];
    for (int at = 0; at < count; ++at) {
        if (fields[at] < out[threadIdx.x])
            return;
        float sum = 0.0f;
        for (int k = 0; k < n; k += 128) {
            tile[threadIdx.x] = fields[at * n + k + threadIdx.x];
            __syncthreads();
            sum += tile[(threadIdx.x * 5) % 128];
            __syncthreads();
        }
        out[threadIdx.x] += sum;
    }
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
