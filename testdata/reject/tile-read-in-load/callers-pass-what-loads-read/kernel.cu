// Functions whose loads read shared memory under another name than that of the tile, which their callers make the
// same: an object of the file, another part of the caller's array, the dynamic block.
#include <cuda_runtime.h>

__shared__ int steps[64];
__device__ int sum_by_steps(int *tile, const int *__restrict__ x, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = x[k + (steps[0] & 7)];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        __syncthreads();
    }
    return sum;
}

__global__ void by_steps(const int *__restrict__ x, int *__restrict__ out, int n)
{
    steps[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = sum_by_steps(steps, x, n);
}

// ---- another part of one array

__device__ float sum_by_offset(float *tile, float *offset, const float *__restrict__ x, int n)
{
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = x[k + threadIdx.x + (int)offset[0]];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        __syncthreads();
    }
    return sum;
}

__global__ void by_offset(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float both[128];
    both[threadIdx.x] = both[64 + threadIdx.x] = 0.f;
    __syncthreads();
    out[threadIdx.x] = sum_by_offset(both, both + (n & 64), x, n);
}

__device__ float sum_by_count(float *tile, const float *__restrict__ x, int n)
{
    extern __shared__ int count[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = x[k + threadIdx.x + count[0]];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        __syncthreads();
    }
    return sum;
}

__global__ void by_count(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float cells[];
    cells[threadIdx.x] = 0.f;
    __syncthreads();
    out[threadIdx.x] = sum_by_count(cells, x, n);
}
