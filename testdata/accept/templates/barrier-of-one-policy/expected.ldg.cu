// What is a barrier in one instantiation is none in the other: the call stays text of both.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source e77b5e4b
    static_assert(__is_same(Policy, Exchanged) ||
                  __is_same(Policy, Own),
                  "pipelined for this Policy alone: run pipelinify again for another");
    int t = 0, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][k] * (k & 3);
            Policy::wait();
            last[threadIdx.x] = sum;
            Policy::wait();
            sum += last[threadIdx.x ^ Policy::mask];
            Policy::wait();
        };
        s_stage[0][threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[t * 64 + threadIdx.x];
            compute_tile();
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void turn<Exchanged>(const float *, float *, int);
template __global__ void turn<Own>(const float *, float *, int);
