// A template's argument chooses how a cell is filled: one of the functions copies asynchronously, and
// no launch of these kernels means that one.
#include <cuda_runtime.h>

struct whole {
};
struct in_flight {
};

template <class T> __device__ void put(whole, T *to, const T *from) { *to = *from; }

template <class T> __device__ auto put_fetch(whole, T *to, const T *from) {
    T to_next = *from;
    return to_next;
}

template <class T> __device__ void put_store(whole, T *to, const T *from, T to_next) {
    *to = to_next;
}

template <class T> __device__ void put(in_flight, T *to, const T *from)
{
    const unsigned cell = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(cell), "l"(from) : "memory");
}

// pipelinify: launch sums<float, whole>
//   sizes    n=0,1,2,3,5,8
//   target   n=4096
//   block    32
//   in:      in  [n * 32]
//   out:     out [32]
//   n:       n
template <class T, class How>
__global__ void sums(const T *in, T *__restrict__ out, int n)
{
    __shared__ T cells[32];
    T sum = 0;
    // pipelinify: ldg-single, 1 stage, source 236a6641
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_same(How, whole),
                  "pipelined for this How alone: run pipelinify again for another");
    int k = 0, k_tile = k;
    if (k < n) {
        put(How(), cells + threadIdx.x, in + k * 32 + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            auto cells_next = put_fetch(How(), cells + threadIdx.x, in + k * 32 + threadIdx.x);
            for (int i = 0; i < 32; ++i)
                sum += (k_tile + 1) * cells[i];
            ++k_tile;
            __syncthreads();
            put_store(How(), cells + threadIdx.x, in + k * 32 + threadIdx.x, cells_next);
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += (k_tile + 1) * cells[i];
    }
    out[threadIdx.x] = sum;
}

template <class T> struct scaled {
    static __device__ float add(float at, float last) { return at + last; }
};

// pipelinify: launch added_through_a_scope<float>
//   sizes    n=0,1,2,3,5,8
//   target   n=4096
//   block    32
//   in:      in  [n * 32]
//   out:     out [32]
//   n:       n
template <class T>
__global__ void added_through_a_scope(const float *in, float *__restrict__ out, int n)
{
    __shared__ float cells[32];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source a92c848e
    int k = 0, k_tile = k;
    if (k < n) {
        cells[threadIdx.x] = in[k * 32 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float cells_next = in[k * 32 + threadIdx.x];
            for (int i = 0; i < 32; ++i)
                sum = scaled<T>::add((k_tile + 1) * cells[threadIdx.x ^ i], sum);
            ++k_tile;
            __syncthreads();
            cells[threadIdx.x] = cells_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum = scaled<T>::add((k_tile + 1) * cells[threadIdx.x ^ i], sum);
    }
    out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int n)
{
    sums<float, whole><<<1, 32>>>(in, out, n);
    added_through_a_scope<float><<<1, 32>>>(in, out, n);
}
