#include <cuda_runtime.h>

template <typename T>
struct View {
    const T *p;
    T *seen;
    template <int N>
    __device__ void load(T (&tile)[N], int at) const
    {
        tile[threadIdx.x] = p[at + threadIdx.x];
    }
    template <int N>
    __device__ T get(int at) const
    {
        return p[at + threadIdx.x];
    }
};

// For float they leave a mark: not what their templates say.
template <>
template <int N>
__device__ void View<float>::load(float (&tile)[N], int at) const
{
    tile[threadIdx.x] = p[at + threadIdx.x];
    seen[at / N] = 1.f;
}

template <>
template <int N>
__device__ float View<float>::get(int at) const
{
    seen[at / N] = 1.f;
    return p[at + threadIdx.x];
}

template <typename T>
__device__ T folded(const T (&s)[32])
{
    return s[threadIdx.x] + s[31 - threadIdx.x];
}

__global__ void fold_loaded(const float *__restrict__ x, float *__restrict__ seen, float *__restrict__ y, int n)
{
    __shared__ float s[32];
    const View<float> v = {x, seen};
    float a = 0;
    for (int i = 0; i < n; i += 32) {
        v.load(s, i);
        __syncthreads();
        a += folded(s);
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

__global__ void fold_got(const float *__restrict__ x, float *__restrict__ seen, float *__restrict__ y, int n)
{
    __shared__ float s[32];
    const View<float> v = {x, seen};
    float a = 0;
    for (int i = 0; i < n; i += 32) {
        s[threadIdx.x] = v.get<32>(i);
        __syncthreads();
        a += folded(s);
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

__global__ void fold_loaded_double(const double *__restrict__ x, double *__restrict__ seen, double *__restrict__ y, int n)
{
    __shared__ double s[32];
    const View<double> v = {x, seen};
    double a = 0;
    for (int i = 0; i < n; i += 32) {
        v.load(s, i);
        __syncthreads();
        a += folded(s);
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

__global__ void fold_got_double(const double *__restrict__ x, double *__restrict__ seen, double *__restrict__ y, int n)
{
    __shared__ double s[32];
    const View<double> v = {x, seen};
    double a = 0;
    for (int i = 0; i < n; i += 32) {
        s[threadIdx.x] = v.get<32>(i);
        __syncthreads();
        a += folded(s);
        __syncthreads();
    }
    y[threadIdx.x] = a;
}
