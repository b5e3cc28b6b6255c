// What a class template's operators and copies do hangs on its arguments, and here it is more than to
// compute: they store where a later tile comes from. The first one does not.
#include <cuda_runtime.h>

constexpr int T = 64;

template <typename E>
struct Sum {
    E value;
    __device__ Sum &operator+=(E by)
    {
        value += by;
        return *this;
    }
};

template <typename E>
__device__ E sums(const E *x, int n)
{
    __shared__ E row[T];
    Sum<E> sum{0};
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += row[i];
        __syncthreads();
    }
    return sum.value;
}

// The first operand knows where.
template <typename E>
struct Through {
    E *at, by;
    __device__ Through &operator-=(E less)
    {
        *at -= less;
        return *this;
    }
    __device__ const Through *operator->() const
    {
        *at = by;
        return this;
    }
};

template <typename E>
__device__ void steps(E *x, int n)
{
    __shared__ E row[T];
    Through<E> next{x + T + threadIdx.x, 2};
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            next -= row[i];
        __syncthreads();
    }
}

template <typename E>
__device__ void steps_by_its_value(E *x, int n)
{
    __shared__ E row[T];
    auto next = Through<E>{x + T + threadIdx.x, 2};
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            next -= row[i];
        __syncthreads();
    }
}

template <typename E>
__device__ E arrows(E *x, int n)
{
    __shared__ E row[T];
    Through<E> next{x + T + threadIdx.x, 2};
    E sum = 0;
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += next->by + row[i];
        __syncthreads();
    }
    return sum;
}

// A copy of it does, which the operator is handed.
template <typename E>
struct Noted {
    E *at, by;
    __device__ Noted(E *p, E q) : at(p), by(q) { }
    __device__ Noted(const Noted &other) : at(other.at), by(other.by) { *at = by; }
};

template <typename E>
__device__ E operator%(Noted<E> a, const E &b)
{
    return a.by * b;
}

template <typename E>
__device__ E copies(E *x, int n)
{
    __shared__ E row[T];
    Noted<E> next(x + T + threadIdx.x, 2);
    E sum = 0;
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += next % row[i];
        __syncthreads();
    }
    return sum;
}

__global__ void all(float *x, float *y, const float *__restrict__ z, int n)
{
    y[threadIdx.x] = sums(z, n) + arrows(x, n) + copies(x, n);
    __syncthreads();
    steps(x, n);
    __syncthreads();
    steps_by_its_value(x, n);
}
