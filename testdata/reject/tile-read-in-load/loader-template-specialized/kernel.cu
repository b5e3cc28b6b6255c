#include <cuda_runtime.h>

template <typename Element, int N>
struct RowLoader {
    static __device__ void load(Element (&row)[N], const Element *src) { row[threadIdx.x] = src[threadIdx.x]; }
};

// Which of the two is meant is known only where the kernel is instantiated.
template <int N>
struct RowLoader<float, N> {
    static __device__ void load(float (&row)[N], const float *src)
    {
        row[threadIdx.x] += src[threadIdx.x];
    }
};

template <typename Element, int N>
__global__ void dot(const Element *a, const Element *b, Element *__restrict__ out, int n)
{
    __shared__ Element row[N];
    Element acc = 0;
    for (int i = 0; i < n; i += N) {
        RowLoader<Element, N>::load(row, a + i);
        __syncthreads();
        for (int k = 0; k < N; ++k)
            acc += row[k] * b[i + k];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

template __global__ void dot<float, 64>(const float *, const float *, float *, int);
