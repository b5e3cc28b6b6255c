// Sums of embeddings, a bag a block. How many of the bag are left, and where the
// next ones lie, moves on by as many as a tile took.
// pipelinify: launch embedding_bag_sum
//   sizes    B=1,4 n=0,1,31,32,33,70,150,260 D=40
//   target   B=4096 n=256 D=64
//   grid     B
//   block    64
//   table:   in [100 * D] random
//   idx:     in [n + 1] below(100)
//   beg:     in [B] const(0)
//   fin:     in [B] below(n + 1)
//   out:     out [B * D]
//   D:       D
#include <cuda_runtime.h>
#include <cstdint>
#include <cuda_pipeline.h>
__global__ void embedding_bag_sum(const float *__restrict__ table, const int64_t *__restrict__ idx,
                                  const int *__restrict__ beg, const int *__restrict__ fin, float *__restrict__ out, int D)
{
    constexpr int BATCH = 32;
    constexpr int stages = 3;
    __shared__ int64_t ids_stage[stages][BATCH];
    const int bag = blockIdx.x;
    int pos = beg[bag];
    int left = fin[bag] - pos;
    float acc = 0.f;
    const int d = threadIdx.x;
    // pipelinify: cp.async, 3 stages, source e282576b
    int left_load = left, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (left_load > 0) {
            const int m = left_load < BATCH ? left_load : BATCH;
            if (threadIdx.x < m)
                __pipeline_memcpy_async(&ids_stage[load_stage][threadIdx.x], &idx[pos + threadIdx.x], sizeof(int64_t));
            pos += m;
            left_load -= m;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (left > 0) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int m = left < BATCH ? left : BATCH;
        if (d < D)
            for (int j = 0; j < m; ++j) acc += table[ids_stage[stage][j] * D + d];
        left -= m;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (d < D) out[bag * D + d] = acc;
}
