// What stands before the loads is there in one of the instantiations alone: both have one text.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source c131d49c
    int t = 0, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            if constexpr (DAMPED) {
                peak = sum;
                sum *= 0.5f;
                board[63 - threadIdx.x] = sum;
            }
            __syncthreads();
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][k] * (k & 3);
            sum -= 0.25f * board[threadIdx.x] + peak;
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

template __global__ void damped<true>(const float *, float *, int);
template __global__ void damped<false>(const float *, float *, int);
