// The half-precision atomicAdd of older toolkits, which tells the others that it is done.
#include <cuda_fp16.h>

__device__ unsigned ready;

__device__ void atomicAdd(__half *to, __half value)
{
    *to = __hadd(*to, value);
    __threadfence();
    atomicExch(&ready, 1u);
}

template <typename T>
__global__ void add_rows(const T *__restrict__ rows, T *__restrict__ sums, int n)
{
    __shared__ T row[128];
    const int c = threadIdx.x;
    for (int r = blockIdx.x; r < n; r += gridDim.x) {
        row[c] = rows[r * 128 + c];
        __syncthreads();
        atomicAdd(&sums[r], row[127 - c]);
        __syncthreads();
    }
}
