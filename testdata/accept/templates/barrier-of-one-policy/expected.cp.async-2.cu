// What is a barrier in one instantiation is none in the other: the call stays text of both.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Exchanged {
    static constexpr int mask = 63;
    __device__ static void wait() { __syncthreads(); }
};
struct Own {
    static constexpr int mask = 0;
    __device__ static void wait() {}
};

// pipelinify: launch turn<Exchanged>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
// pipelinify: launch turn<Own>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <class Policy>
__global__ void turn(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    __shared__ float last[64];
    float sum = 0.f;
    last[threadIdx.x] = 0.f;
    __syncthreads();
    // pipelinify: cp.async, 2 stages, source e77b5e4b
    static_assert(__is_same(Policy, Exchanged) ||
                  __is_same(Policy, Own),
                  "pipelined for this Policy alone: run pipelinify again for another");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &x[t_load * 64 + threadIdx.x], sizeof(float));
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
        for (int k = 0; k < 64; ++k)
            sum += s_stage[stage][k] * (k & 3);
        Policy::wait();
        last[threadIdx.x] = sum;
        Policy::wait();
        sum += last[threadIdx.x ^ Policy::mask];
        Policy::wait();
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = sum;
}

template __global__ void turn<Exchanged>(const float *, float *, int);
template __global__ void turn<Own>(const float *, float *, int);
