#include <cuda_runtime.h>

template <typename T>
struct View {
    const T *p;
    T *seen;
    __device__ T operator()(int i) const { return p[i]; }
};

// For float it leaves a mark: not what the template says.
template <>
__device__ float View<float>::operator()(int i) const
{
    seen[i] = 1.f;
    return p[i];
}

template <int N>
__global__ void sums(const float *a, float *seen, float *out, int n)
{
    __shared__ float tile[N];
    const View<float> view{a, seen};
    float sum = 0.f;

    for (int base = 0; base < n; base += N) {
        tile[threadIdx.x] = view(base + threadIdx.x);
        __syncthreads();
        for (int j = 0; j < N; ++j)
            sum += tile[j];
        __syncthreads();
    }
    out[blockIdx.x * N + threadIdx.x] = sum;
}

template <int N, typename T>
__global__ void sums_of(const T *a, T *seen, T *out, int n)
{
    __shared__ T tile[N];
    const View<T> view{a, seen};
    T sum = 0;

    for (int base = 0; base < n; base += N) {
        tile[threadIdx.x] = view(base + threadIdx.x);
        __syncthreads();
        for (int j = 0; j < N; ++j)
            sum += tile[j];
        __syncthreads();
    }
    out[blockIdx.x * N + threadIdx.x] = sum;
}

template __global__ void sums<32>(const float *, float *, float *, int);
template __global__ void sums_of<32, float>(const float *, float *, float *, int);
