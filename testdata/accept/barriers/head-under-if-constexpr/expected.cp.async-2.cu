// What stands before the loads is there in one of the instantiations alone: both have one text.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch damped<true>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
// pipelinify: launch damped<false>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <bool DAMPED>
__global__ void damped(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    __shared__ float board[64];
    float sum = 0.f, peak = 0.f;
    board[threadIdx.x] = 0.f;
    __syncthreads();
    // pipelinify: cp.async, 2 stages, source c131d49c
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
        if constexpr (DAMPED) {
            peak = sum;
            sum *= 0.5f;
            board[63 - threadIdx.x] = sum;
        }
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s_stage[stage][k] * (k & 3);
        sum -= 0.25f * board[threadIdx.x] + peak;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = sum;
}

template __global__ void damped<true>(const float *, float *, int);
template __global__ void damped<false>(const float *, float *, int);
