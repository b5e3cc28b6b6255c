// A template's argument chooses how a cell is filled: one of the functions copies asynchronously, and
// no launch of these kernels means that one.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct whole {
};
struct in_flight {
};

template <class T> __device__ void put(whole, T *to, const T *from) { *to = *from; }

template <class T> __device__ void put_async(whole, T *to, const T *from) {
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    __pipeline_memcpy_async(to, from, sizeof(T));
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
    __shared__ T cells_stage[2][32];
    T sum = 0;
    // pipelinify: cp.async, 2 stages, source 236a6641
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_same(How, whole),
                  "pipelined for this How alone: run pipelinify again for another");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            put_async(How(), cells_stage[load_stage] + threadIdx.x, in + k_load * 32 + threadIdx.x);
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 32; ++i)
            sum += (k + 1) * cells_stage[stage][i];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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
    __shared__ float cells_stage[2][32];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source a92c848e
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&cells_stage[load_stage][threadIdx.x], &in[k_load * 32 + threadIdx.x],
                                    sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 32; ++i)
            sum = scaled<T>::add((k + 1) * cells_stage[stage][threadIdx.x ^ i], sum);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int n)
{
    sums<float, whole><<<1, 32>>>(in, out, n);
    added_through_a_scope<float><<<1, 32>>>(in, out, n);
}
