// Functions of the toolkit that change a variable by reference, or their object: here what says
// which tile is loaded next.
#include <cuda/std/optional>
#include <cuda/std/utility>

#define T 64

__global__ void exchanged(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0, other = 1;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        other = cuda::std::exchange(half, other);
        for (int j = 0; j < T; ++j)
            sum += s[j] * other;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void emplaced(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    cuda::std::optional<int> half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + *half) * T + threadIdx.x];
        __syncthreads();
        half.emplace(sum > 0.f);
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void swapped(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    cuda::std::optional<int> half = 0, other = 1;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + *half) * T + threadIdx.x];
        __syncthreads();
        if (sum > 0.f)
            half.swap(other);
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Only asked.
__global__ void asked(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    cuda::std::optional<int> half = tiles & 1;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half.value()) * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * half.value_or(2);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
