// What a template's argument does is decided where it is used, in other files.
#include <cuda_runtime.h>

#define T 64

// A view of a long row: `view | by` moves it on.
struct Walk {
    int at;
};
__device__ inline int operator|(Walk &walk, int by) { return walk.at += by; }

template <typename View>
__global__ void weighted_sums(const float *__restrict__ row, float *__restrict__ sums, int n)
{
    __shared__ float part[T];
    View view = {0};
    float sum = 0.f;
    for (int i = 0; i < n; i += T) {
        part[threadIdx.x] = row[view.at];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += part[j] * (j + 1);
        sum += (view | T) & 1;
        __syncthreads();
    }
    sums[blockIdx.x * T + threadIdx.x] = sum;
}

// No operator is in sight, but a shift of numbers that nobody looks at would be for nothing.
template <typename View>
__global__ void shifted_sums(const float *__restrict__ row, float *__restrict__ sums, int n)
{
    __shared__ float part[T];
    View view(row);
    float sum = 0.f;
    for (int i = 0; i < n; i += T) {
        part[threadIdx.x] = row[view.at];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += part[j] * (j + 1);
        view << T;
        __syncthreads();
    }
    sums[blockIdx.x * T + threadIdx.x] = sum;
}
