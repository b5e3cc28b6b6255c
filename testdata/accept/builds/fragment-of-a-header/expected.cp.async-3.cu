// Sums of what each lane of a warp is handed of tiles of weights and of counts, by a
// helper of a header whose fragments are special for each order of elements.
#include "fragments.cuh"
#include <cuda_pipeline.h>

// pipelinify: launch weigh<8>
//   sizes    n=0,16,32,48,112
//   target   n=4096
//   grid     2
//   block    64
//   weights: in  [2 * n * 16]
//   counts:  in  [2 * n * 16]
//   sums:    out [2 * 64]
//   n:       n
template <int COLUMNS>
__global__ void __launch_bounds__(64) weigh(const float *weights, const int *counts, float *sums, int n)
{
    using namespace fragments;
    constexpr int stages = 3;
    __shared__ float weight_stage[stages][16][20];
    __shared__ int count_stage[stages][16][20];
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4;
    float sum = 0;

    // pipelinify: cp.async, 3 stages, source fbee4a91
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (r_load < n)
        {
            for (int c = 0; c < 4; ++c)
            {
                __pipeline_memcpy_async(&weight_stage[load_stage][row][column + c],
                                        &weights[(blockIdx.x * n + r_load + row) * 16 + column + c], sizeof(float));
                __pipeline_memcpy_async(&count_stage[load_stage][row][column + c],
                                        &counts[(blockIdx.x * n + r_load + row) * 16 + column + c], sizeof(int));
            }
            r_load += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < n; r += 16)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int c = 0; c < 16; c += COLUMNS)
        {
            piece<16, COLUMNS, float> a;
            piece<16, COLUMNS, int, BY_PAIRS> b[2];
            take(a, &weight_stage[stage][0][c], 20);
            take(b[threadIdx.x / 32], &count_stage[stage][0][c], 20);
            for (int i = 0; i < a.size; ++i)
                sum += a.held[i] * b[threadIdx.x / 32].held[i];
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sums[blockIdx.x * 64 + threadIdx.x] = sum;
}

void weigh_by_8(const float *weights, const int *counts, float *sums, int n)
{
    weigh<8><<<2, 64>>>(weights, counts, sums, n);
}
