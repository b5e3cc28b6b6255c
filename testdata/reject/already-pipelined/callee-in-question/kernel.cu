// The template's arguments decide which function a call means, and one of them would be no good.
#include <cuda_runtime.h>

struct whole {
};
struct in_flight {
};

template <class T> __device__ void put(whole, T *to, const T *from) { *to = *from; }

template <class T> __device__ void put(in_flight, T *to, const T *from)
{
    const unsigned cell = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(cell), "l"(from) : "memory");
}

// Launched with both: that it copies asynchronously is not what its author has said.
template <class T, class How>
__global__ void sums(const T *in, T *__restrict__ out, int n, How how)
{
    __shared__ T cells[32];
    T sum = 0;
    for (int k = 0; k < n; ++k) {
        put(how, cells + threadIdx.x, in + k * 32 + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += cells[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template <class T> struct scaled {
    T value;
    __device__ scaled(float at, float *last) : value(at + *last) {}
    static __device__ float add(float at, float *last) { return at + *last; }
};

template <> struct scaled<float> {
    static __device__ float add(float at, float *last) { return *last += at; }
};

// The name of the scope is that of a constructor, which does less than the function.
template <class T>
__global__ void changed_through_a_scope(float *in, float *__restrict__ out, int n)
{
    __shared__ float cells[32];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        cells[threadIdx.x] = in[k * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += scaled<T>::add(cells[i], in + k * 32 + 32);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct count {
    int n;
};

__device__ int operator-(count a, int b)
{
    __threadfence();
    return a.n - b;
}

// No `continue` is asked for where a branch stands around the tile.
template <class N>
__global__ void all_but_one(const float *in, float *__restrict__ out, N n)
{
    __shared__ float cells[32];
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        if (k != n - 1) {
            cells[threadIdx.x] = in[k * 32 + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 32; ++i)
                sum += cells[i];
            __syncthreads();
        }
    }
    out[threadIdx.x] = sum;
}

void launch(float *in, float *out, int n)
{
    sums<<<1, 32>>>(in, out, n, whole());
    sums<<<1, 32>>>(in, out, n, in_flight());
    all_but_one<<<1, 32>>>(in, out, count{n});
}
