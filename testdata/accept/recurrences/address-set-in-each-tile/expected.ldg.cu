#include <cuda_runtime.h>

#define T 64

__device__ const int *row_of(const int *tile, int row)
{
    return tile + row * 8;
}

// 'cell', 'at' and 'best' are declared before the loop, but every tile sets them
// before it reads them; what they lead to and how far they are apart is no
// address.
// pipelinify: launch scan
//   sizes    T=64 tiles=0,1,2,3,5,6
//   target   T=64 tiles=1024
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void scan(const int *__restrict__ x, int *__restrict__ out,
                     int tiles)
{
    __shared__ __align__(16) int s_stage[2][T];
    const int t = threadIdx.x;
    const int *cell, *best;
    unsigned at;
    int sum = 0, where = 0;
    // pipelinify: ldg, 2 stages, source af808e99
    int k = 0, stage = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            best = s_stage[stage];
            for (int r = 0; r < 8; ++r) {
                cell = row_of(s_stage[stage], r);
                for (int j = 0; j < 8; ++j)
                    if (cell[(j + t) % 8] > *best)
                        best = cell + (j + t) % 8;
                sum += cell[t % 8];
            }
            where += (int)(best - s_stage[stage]);
            at = (unsigned)__cvta_generic_to_shared(&s_stage[stage][63 - t]);
            int value;
            asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(at));
            sum += value * where;
        };
        s_stage[0][t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            int s_next = x[k * T + t];
            compute_tile();
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[t] = sum;
}
