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
__global__ void embedding_bag_sum(const float *__restrict__ table, const int64_t *__restrict__ idx,
                                  const int *__restrict__ beg, const int *__restrict__ fin, float *__restrict__ out, int D)
{
    constexpr int BATCH = 32;
    __shared__ int64_t ids_stage[2][BATCH];
    const int bag = blockIdx.x;
    int pos = beg[bag];
    int left = fin[bag] - pos;
    float acc = 0.f;
    const int d = threadIdx.x;
    // pipelinify: ldg, 2 stages, source e282576b
    int left_tile = left, stage = 0;
    if (left > 0) {
        auto compute_tile = [&]() {
            const int m = left_tile < BATCH ? left_tile : BATCH;
            if (d < D)
                for (int j = 0; j < m; ++j) acc += table[ids_stage[stage][j] * D + d];
            left_tile -= m;
        };
        {
            const int m = left < BATCH ? left : BATCH;
            if (threadIdx.x < m) ids_stage[0][threadIdx.x] = idx[pos + threadIdx.x];
            pos += m;
            left -= m;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (left > 0) {
            int64_t ids_next;
            const int m = left < BATCH ? left : BATCH;
            if (threadIdx.x < m)
                ids_next = idx[pos + threadIdx.x];
            compute_tile();
            stage ^= 1;
            if (threadIdx.x < m)
                ids_stage[stage][threadIdx.x] = ids_next;
            pos += m;
            left -= m;
            __syncthreads();
        }
        compute_tile();
    }
    if (d < D) out[bag * D + d] = acc;
}
