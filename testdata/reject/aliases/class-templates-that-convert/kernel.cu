// What an object becomes where it stands beside a number hangs on the template's arguments, and the
// function that makes that stores where a later tile comes from.
#include <cuda_runtime.h>

constexpr int T = 64;

template <typename E>
struct Counting {
    E *at;
    __device__ operator E() const
    {
        *at += 1;
        return 2;
    }
};

template <typename E>
__device__ E beside(E *x, int n)
{
    __shared__ E row[T];
    Counting<E> next{x + T + threadIdx.x};
    E sum = 0;
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += next * row[i];
        __syncthreads();
    }
    return sum;
}

template <typename E>
__device__ E asked(E *x, int n)
{
    __shared__ E row[T];
    Counting<E> next{x + T + threadIdx.x};
    E sum = 0;
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            if (next)
                sum += row[i];
        __syncthreads();
    }
    return sum;
}

template <typename E>
__device__ E made(E *x, int n)
{
    __shared__ E row[T];
    Counting<E> next{x + T + threadIdx.x};
    E sum = 0;
    for (int k = 0; k < n; ++k) {
        row[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i) {
            E by = next;
            sum += row[i] * by;
        }
        __syncthreads();
    }
    return sum;
}

__global__ void all(float *x, float *y, int n)
{
    y[threadIdx.x] = beside(x, n) + asked(x, n) + made(x, n);
}
