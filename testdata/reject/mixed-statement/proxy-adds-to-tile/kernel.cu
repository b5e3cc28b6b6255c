#include <cuda_runtime.h>

// Cells whose assignment keeps half of what was there.
template <typename T>
struct Cell {
    T *p;
    __device__ void operator=(T x) { *p = *p * T(0.5) + x; }
    __device__ T get() const { return *p; }
};

template <typename T, int N>
struct Decaying {
    T v[N];
    __device__ Cell<T> operator[](int i) { return Cell<T>{v + i}; }
};

struct Faded {
    float x;
    Faded() = default;
    __device__ Faded(float y) : x(y) {}
    __device__ Faded &operator=(float y)
    {
        x = x * 0.5f + y;
        return *this;
    }
};

template <typename T, int N>
struct Row {
    T v[N];
    __device__ T &at(int i) { return v[i]; }
};

template <int N>
__global__ void decayed(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Decaying<float, N> tile;
    float sum = 0.f;

    for (int j = threadIdx.x; j < N; j += N)
        tile.v[j] = 0.f;
    for (int base = 0; base < n; base += N) {
        const int i = base + threadIdx.x;
        tile[threadIdx.x] = i < n ? a[i] : 0.f;
        __syncthreads();
        for (int j = 0; j < N; ++j)
            sum += tile[j].get();
        __syncthreads();
    }
    out[blockIdx.x * N + threadIdx.x] = sum;
}

template <int N>
__global__ void faded(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Row<Faded, N> tile;
    float sum = 0.f;

    tile.v[threadIdx.x].x = 0.f;
    for (int base = 0; base < n; base += N) {
        const int i = base + threadIdx.x;
        tile.at(threadIdx.x) = i < n ? a[i] : 0.f;
        __syncthreads();
        for (int j = 0; j < N; ++j)
            sum += tile.at(j).x;
        __syncthreads();
    }
    out[blockIdx.x * N + threadIdx.x] = sum;
}

template __global__ void decayed<32>(const float *, float *, int);
template __global__ void faded<32>(const float *, float *, int);
