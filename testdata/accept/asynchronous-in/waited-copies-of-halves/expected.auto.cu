#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// All of a tile of two dimensions, as aligned as it says.
// pipelinify: launch halves
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 512] random
//   out:     out [64]
//   tiles:   tiles
__global__ void halves(const __half *__restrict__ a, float *__restrict__ out, int tiles)
{
    constexpr int stages = 8;
    __shared__ __align__(16) __half s_stage[stages][8][64];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source bf440297
    int k_load = 0, stage = 0;
    if (k_load < tiles) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int e = cg::this_thread_block().thread_rank(); e < 64;
                 e += cg::this_thread_block().size())
                __pipeline_memcpy_async(&reinterpret_cast<uint4 *>(&s_stage[load_stage][0][0])[e],
                                        &reinterpret_cast<const uint4 *>(a + k_load * 512)[e],
                                        sizeof(uint4));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        cg::this_thread_block().sync();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int r = 0; r < 8; ++r)
            sum += __half2float(s_stage[stage][r][(threadIdx.x + r) % 64]) * (float)(r + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
