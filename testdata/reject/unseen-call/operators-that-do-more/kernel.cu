#include <cuda_runtime.h>

// Operators whose operands hang on the tile's size, so that none is settled in the template: each
// does more than one of numbers.
struct Num {
    float x, y;
};

__device__ const Num *taken;

// Where the loads go on is kept by a product.
__device__ inline Num operator*(Num a, const Num &b)
{
    taken = nullptr;
    return Num{a.x * b.x, a.y * b.y};
}

// The right side is changed, too.
__device__ inline Num &operator+=(Num &a, Num &b)
{
    a.x += b.x;
    b.x = 0.f;
    return a;
}

// The sign is turned in the cell.
__device__ inline Num operator-(Num &a)
{
    a.x = -a.x;
    return a;
}

// A name for the cell itself.
__device__ inline Num &operator|(Num &a, const Num &b)
{
    return a.x < b.x ? a : const_cast<Num &>(b);
}

// Its argument is a copy, which is counted.
__device__ int copies;
struct Counted {
    float x;
    Counted() = default;
    __device__ Counted(const Counted &other) : x(other.x) { ++copies; }
};
__device__ inline float operator/(Counted a, float b) { return a.x / b; }

template <int T>
__global__ void products(const Num *__restrict__ in, Num *__restrict__ out, int n)
{
    __shared__ Num tile[T];
    Num acc = {0.f, 0.f};
    for (int base = 0; base < n; base += T) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            acc = tile[i] * tile[T - 1 - i];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template <int T>
__global__ void sums(const Num *__restrict__ in, Num *__restrict__ out, int n)
{
    __shared__ Num tile[T];
    Num acc = {0.f, 0.f};
    for (int base = 0; base < n; base += T) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            acc += tile[(i + threadIdx.x) % T];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template <int T>
__global__ void signs(const Num *__restrict__ in, Num *__restrict__ out, int n)
{
    __shared__ Num tile[T];
    Num acc = {0.f, 0.f};
    for (int base = 0; base < n; base += T) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        acc = -tile[T - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template <int T>
__global__ void smaller(const Num *__restrict__ in, Num *__restrict__ out, int n)
{
    __shared__ Num tile[T];
    Num acc = {0.f, 0.f};
    for (int base = 0; base < n; base += T) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        (tile[threadIdx.x] | tile[T - 1 - threadIdx.x]).y = 2.f;
        acc.x += tile[threadIdx.x].y;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template <int T>
__global__ void halves(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ Counted tile[T];
    float acc = 0.f;
    for (int base = 0; base < n; base += T) {
        tile[threadIdx.x].x = in[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            acc = tile[i] / 2.f;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template __global__ void products<32>(const Num *, Num *, int);
template __global__ void sums<32>(const Num *, Num *, int);
template __global__ void signs<32>(const Num *, Num *, int);
template __global__ void smaller<32>(const Num *, Num *, int);
template __global__ void halves<32>(const float *, float *, int);
