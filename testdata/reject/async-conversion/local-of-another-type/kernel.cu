// What goes to the tile has been in a local of another type, which kept less of it than the
// tile would, or other values: the bits that were loaded are not those that are stored.
#include <cuda_runtime.h>

#define T 64

// Whole numbers alone are kept.
__global__ void truncated(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        int v = x[i + t];
        s[t] = v;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// The lowest byte is, of either guard's arm.
__global__ void lowest_byte(const int *__restrict__ x, int *__restrict__ y, int n)
{
    __shared__ int s[T];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < n; i += T) {
        const unsigned char v = i + t < n ? x[i + t] : 0;
        s[t] = v;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// Of a template's type, which is the tile's in the one instance that is in sight.
template <typename V>
__global__ void kept_as(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += T) {
        V v = x[i + t];
        s[t] = v;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

template __global__ void kept_as<float>(const float *, float *, int);
