// Threads meet at a barrier just ahead of the first loop, and need no other there. Ahead of
// the second one they do so in some builds alone.
#include <cuda_runtime.h>

#define LANES 64

// pipelinify: launch smooth
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    __shared__ float day[LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day[lane] = 0.f;
    __syncthreads();
    float kept = day[LANES - 1 - lane];
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source a23af198
    int d = 0;
    if (d < days) {
        auto compute_tile = [&]() {
            level[LANES - 1 - lane] = kept;
            __syncthreads();
            for (int i = 0; i < LANES; ++i)
                kept += day[i] * 0.125f;
            kept -= level[lane];
        };
        day[lane] = rates[d * LANES + lane];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++d; d < days; ++d) {
            float day_next = rates[d * LANES + lane];
            compute_tile();
            __syncthreads();
            day[lane] = day_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out_[lane] = kept;
}

// pipelinify: launch smooth_again
//   sizes  days=0,1,2,3,6
//   target days=4096
//   grid   1
//   block  64
//   rates: in  [days * 64] random
//   out_:  out [64]
//   days:  days
__global__ void smooth_again(const float *__restrict__ rates, float *__restrict__ out_, int days)
{
    __shared__ float day[LANES];
    __shared__ float level[LANES];
    const int lane = threadIdx.x;
    level[lane] = 1.f;
    day[lane] = 0.f;
    __syncthreads();
    float kept = day[LANES - 1 - lane];
#ifndef ONE_BARRIER_LESS
    __syncthreads();
#endif
    // pipelinify: ldg-single, 1 stage, source a23af198
    int d = 0;
    if (d < days) {
        __syncthreads();
        auto compute_tile = [&]() {
            level[LANES - 1 - lane] = kept;
            __syncthreads();
            for (int i = 0; i < LANES; ++i)
                kept += day[i] * 0.125f;
            kept -= level[lane];
        };
        day[lane] = rates[d * LANES + lane];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++d; d < days; ++d) {
            float day_next = rates[d * LANES + lane];
            compute_tile();
            __syncthreads();
            day[lane] = day_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out_[lane] = kept;
}
