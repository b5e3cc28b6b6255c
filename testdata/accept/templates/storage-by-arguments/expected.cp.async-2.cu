#include <cuda_pipeline.h>

// The storage is a class template's, and as large as the argument makes it: the text asks for the arguments with which stages fit.
template <class T, int N>
struct Array {
    T cells[N];
    __device__ T &operator[](int i) { return cells[i]; }
};

template <int N>
struct Policy {
    struct Storage {
        float cells[N];
    };
    static constexpr int cells = N;
};

// pipelinify: launch of_array<5632>
//   sizes    n=0,1,2,3
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 5632] random
//   y:       out [256]
//   n:       n
template <int SIZE>
__global__ void __launch_bounds__(256) of_array(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Array<float, SIZE> s_stage[2];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source 53108f6b
    static_assert((long long)SIZE == 5632,
                  "pipelined for this SIZE alone: run pipelinify again for another");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            for (int i = threadIdx.x; i < SIZE; i += 256)
                __pipeline_memcpy_async(&s_stage[load_stage][i], &x[t_load * SIZE + i], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < SIZE; k += 8)
            sum += s_stage[stage][(k + threadIdx.x) % SIZE];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
template __global__ void of_array<5632>(const float *, float *, int);

// pipelinify: launch of_policy<Policy<5632>>
//   sizes    n=0,1,2,3
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 5632] random
//   y:       out [256]
//   n:       n
template <class P>
__global__ void __launch_bounds__(256) of_policy(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ typename P::Storage storage_stage[2];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source 9e483097
    static_assert(__is_same(P, Policy<5632>),
                  "pipelined for this P alone: run pipelinify again for another");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            auto &storage = storage_stage[load_stage];
            float *s = storage.cells;
            for (int i = threadIdx.x; i < P::cells; i += 256)
                __pipeline_memcpy_async(&s[i], &x[t_load * P::cells + i], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        auto &storage = storage_stage[stage];
        float *s = storage.cells;
        for (int k = 0; k < P::cells; k += 8)
            sum += s[(k + threadIdx.x) % P::cells];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
template __global__ void of_policy<Policy<5632>>(const float *, float *, int);
