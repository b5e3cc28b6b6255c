// Correlation of two series window by window: each tile is reduced by the block in a scratch array with barriers of its own.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define THREADS 64

// pipelinify: launch windowed_correlation
//   sizes  windows=0,1,2,3,4,5,8 pairs=1
//   sizes  windows=3 pairs=4
//   target windows=4096 pairs=256
//   grid   pairs
//   block  64
//   a:     in  [pairs * windows * 64] random
//   b:     in  [pairs * windows * 64] random
//   shift: 5
//   windows: windows
//   corr:  out [pairs * windows]
//   peak:  out [pairs]
//   work   bytes 8 * pairs * windows * 64
__global__ void windowed_correlation(const float* __restrict__ a,
                                     const float* __restrict__ b,
                                     int shift, int windows,
                                     float* __restrict__ corr,
                                     float* __restrict__ peak)
{
    constexpr int stages = 8;
    __shared__ float sa_stage[stages][THREADS];
    __shared__ float sb_stage[stages][THREADS];
    __shared__ float scratch[THREADS];

    const int tid = threadIdx.x;
    const int series = blockIdx.x * windows * THREADS;
    float highest = 0.0f;

    // pipelinify: cp.async, 8 stages, source a1185e5d
    int w_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (w_load < windows)
        {
            __pipeline_memcpy_async(&sa_stage[load_stage][tid], &a[series + w_load * THREADS + tid], sizeof(float));
            __pipeline_memcpy_async(&sb_stage[load_stage][tid], &b[series + w_load * THREADS + tid], sizeof(float));
            ++w_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int w = 0; w < windows; ++w)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        // lagged product, then a tree reduction
        scratch[tid] = sa_stage[stage][tid] * sb_stage[stage][(tid + shift) % THREADS];
        __syncthreads();
        for (int half = THREADS / 2; half > 0; half /= 2)
        {
            if (tid < half)
                scratch[tid] += scratch[tid + half];
            __syncthreads();
        }

        if (tid == 0)
        {
            corr[blockIdx.x * windows + w] = scratch[0];
            highest = fmaxf(highest, fabsf(scratch[0]));
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    if (tid == 0)
        peak[blockIdx.x] = highest;
}
