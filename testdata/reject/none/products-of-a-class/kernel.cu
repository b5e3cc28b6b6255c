// Rows of values against a thread's own weights. One use of the kernel has a class
// for its type whose sums count in memory, so that what adds up there does more than
// to compute.
#include <cuda_runtime.h>

#define PART 64

__device__ unsigned long long additions;

struct Counted
{
    float value;
    __device__ Counted &operator+=(const Counted &other)
    {
        atomicAdd(&additions, 1ull);
        value += other.value;
        return *this;
    }
};

__device__ Counted operator*(const Counted &counted, float weight)
{
    return {counted.value * weight};
}

template <typename T>
__global__ void __launch_bounds__(PART)
weighted_rows(const float *__restrict__ rows, const T *__restrict__ scales,
              T *__restrict__ sums, int nrows)
{
    __shared__ float row[PART];
    T weights[PART];
    for (int k = 0; k < PART; ++k)
        weights[k] = scales[blockIdx.x * PART + (threadIdx.x + k) % PART];

    T sum = sums[threadIdx.x];
    for (int r = 0; r < nrows; ++r)
    {
        row[threadIdx.x] = rows[(r * gridDim.x + blockIdx.x) * PART + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < PART; ++k)
            sum += weights[k] * row[k];
        sums[(r * gridDim.x + blockIdx.x) * PART + threadIdx.x] = sum;
        __syncthreads();
    }
}

void sum_rows(const float *rows, const float *scales, float *sums, int nrows, int nparts)
{
    weighted_rows<float><<<nparts, PART>>>(rows, scales, sums, nrows);
}

void sum_rows(const float *rows, const Counted *scales, Counted *sums, int nrows, int nparts)
{
    weighted_rows<Counted><<<nparts, PART>>>(rows, scales, sums, nrows);
}
