#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // pipelinify: cp.async, 2 stages, source af808e99
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&s_stage[load_stage][t], &x[k_load * T + t], sizeof(int));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
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
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}
