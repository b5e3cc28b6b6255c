// A load helper whose parameter holds a byte of the count that it is handed.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ void stage_rows(float *rows, const float *from, unsigned char fours)
{
    for (int i = threadIdx.x; i < 4 * fours; i += 128)
        rows[i] = from[i];
}

__device__ void stage_rows_async(float *rows, const float *from,
                                 unsigned char fours)
{
    for (int i = threadIdx.x; i < 4 * fours; i += 128)
        __pipeline_memcpy_async(&rows[i], &from[i], sizeof(float));
}

// pipelinify: launch byte_of_a_count
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   a:     in  [tiles * 800] random
//   c:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
byte_of_a_count(const float *__restrict__ a, float *__restrict__ c, int tiles)
{
    constexpr int stages = 8;
    __shared__ float rows_stage[stages][800];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 7c4f7b76
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            stage_rows_async(rows_stage[load_stage], a + k_load * 800, 456); // 200
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 800; ++i)
            sum += rows_stage[stage][i] * (float)((i ^ t) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    c[t] = sum;
}
