// Tiles of which a second stage fits here, and would not with the sizes that another instantiation, or another build,
// may have; a size that nothing can change fits.
#ifndef CELLS
#define CELLS 5632
#endif
#if defined(WIDE)
#define STRIP 11000
#else
#define STRIP 5632
#endif
constexpr int kCells = CELLS;
enum { FIXED = 5632 };

template <int N>
struct Shape {
    static constexpr int cells = N;
};

template <class V, int N>
__global__ void __launch_bounds__(256) by_value(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V s[N];
    V sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < N; i += 256)
            s[i] = x[t * N + i];
        __syncthreads();
        for (int k = 0; k < N; k += 8)
            sum += s[(k + threadIdx.x) % N];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void by_value<float, 5632>(const float *, float *, int);

template <class S>
__global__ void __launch_bounds__(256) by_class(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int cells = S::cells;
    __shared__ float s[cells];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < cells; i += 256)
            s[i] = x[t * cells + i];
        __syncthreads();
        for (int k = 0; k < cells; k += 8)
            sum += s[(k + threadIdx.x) % cells];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void by_class<Shape<5632>>(const float *, float *, int);

template <class V>
__global__ void __launch_bounds__(256) by_element(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V s[5632];
    V sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 5632; i += 256)
            s[i] = x[t * 5632 + i];
        __syncthreads();
        for (int k = 0; k < 5632; k += 8)
            sum += s[(k + threadIdx.x) % 5632];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void by_element<float>(const float *, float *, int);

__global__ void __launch_bounds__(256) by_build(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[kCells];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < kCells; i += 256)
            s[i] = x[t * kCells + i];
        __syncthreads();
        for (int k = 0; k < kCells; k += 8)
            sum += s[(k + threadIdx.x) % kCells];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) by_switch(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[STRIP];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < STRIP; i += 256)
            s[i] = x[t * STRIP + i];
        __syncthreads();
        for (int k = 0; k < STRIP; k += 8)
            sum += s[(k + threadIdx.x) % STRIP];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) fixed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[FIXED];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < FIXED; i += 256)
            s[i] = x[t * FIXED + i];
        __syncthreads();
        for (int k = 0; k < FIXED; k += 8)
            sum += s[(k + threadIdx.x) % FIXED];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
