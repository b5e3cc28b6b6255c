// Hamming search over 64-bit codes, barrier at the top of the loop body instead of the bottom.
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

typedef unsigned long long u64;

// pipelinify: launch hamming_nearest
//   sizes  nq=64 ncodes=0,1,63,64,65,128,192,256,320,500
//   sizes  nq=3,129 ncodes=200
//   target nq=65536 ncodes=131072
//   grid   (nq + 63) / 64
//   block  64
//   q:     in  [nq] below(1000000)
//   codes: in  [ncodes] below(1000000)
//   best:  out [nq]
//   nq:    nq
//   ncodes: ncodes
__global__ void hamming_nearest(const u64 *q, const u64 *codes, u64 *best, int nq, int ncodes)
{
        constexpr int stages = 3;
        __shared__ u64 tile_stage[stages][64];
        const int i = blockIdx.x * 64 + threadIdx.x;
        const u64 mine = i < nq ? q[i] : 0;
        u64 winner = ~0ull;                     /* distance << 32 | index */

        // pipelinify: cp.async, 3 stages, source f97260c3
        int first_load = 0, stage = 0;
        if (first_load < ncodes) {
                __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
                if (first_load < ncodes) {
                        if (first_load + threadIdx.x < ncodes)
                                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                                        &codes[first_load + threadIdx.x], sizeof(u64));
                        first_load += 64;
                }
                __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
                copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int first = 0; first < ncodes; first += 64) {
                __pipeline_wait_prior(stages - 2);
                __syncthreads();
                copy_tile(stage == 0 ? stages - 1 : stage - 1);

                const int here = ncodes - first < 64 ? ncodes - first : 64;
                for (int k = 0; k < here; k++) {
                        const u64 cand = (u64)__popcll(tile_stage[stage][k] ^ mine) << 32 | (unsigned)(first + k);
                        if (cand < winner)
                                winner = cand;
                }
                stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);

        if (i < nq)
                best[i] = winner;
}
