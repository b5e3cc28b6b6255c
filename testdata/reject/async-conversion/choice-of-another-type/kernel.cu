// A choice between what is loaded and another number is of a type that both fit in, which
// need not hold all that is loaded: large counts lose their last digits as floats.
#include <cuda_runtime.h>

#define T 64

__global__ void counts(const int *__restrict__ x, long long *__restrict__ y, int n)
{
    __shared__ int s[T];
    const int t = threadIdx.x;
    long long sum = 0;
    for (int i = 0; i < n; i += T) {
        s[t] = i + t < n ? x[i + t] : 0.0f;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// In a local that takes the choice's type.
__global__ void counts_by_way(const long long *__restrict__ x, long long *__restrict__ y, int n)
{
    __shared__ long long s[T];
    const int t = threadIdx.x;
    long long sum = 0;
    for (int i = 0; i < n; i += T) {
        auto v = i + t < n ? x[i + t] : 0.0;
        s[t] = v;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// A template's argument says of which type the other number is: where it is int, nothing is
// lost, and other instances may be elsewhere.
template <typename Pad>
__global__ void counts_padded(const int *__restrict__ x, long long *__restrict__ y, int n, Pad pad)
{
    __shared__ int s[T];
    const int t = threadIdx.x;
    long long sum = 0;
    for (int i = 0; i < n; i += T) {
        s[t] = i + t < n ? x[i + t] : pad;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

template __global__ void counts_padded<int>(const int *, long long *, int, int);

// ... and here of which what is loaded is.
template <typename V>
__global__ void values(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V s[T];
    const int t = threadIdx.x;
    V sum = 0;
    for (int i = 0; i < n; i += T) {
        s[t] = i + t < n ? x[i + t] : 0.0f;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

template __global__ void values<float>(const float *, float *, int);

// Nothing is lost as a wider number.
__global__ void widened(const int *__restrict__ x, long long *__restrict__ y, int n)
{
    __shared__ int s[T];
    const int t = threadIdx.x;
    long long sum = 0;
    for (int i = 0; i < n; i += T) {
        s[t] = i + t < n ? x[i + t] : 0.0;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
