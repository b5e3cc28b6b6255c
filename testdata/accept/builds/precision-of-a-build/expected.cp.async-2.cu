// Weighted sums in the precision that a build asks for, which the rewritten text
// leaves open too.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#ifdef DOUBLE_PRECISION
typedef double real;
#define FMA(a, b, c) fma(a, b, c)
#else
typedef float real;
#define FMA(a, b, c) fmaf(a, b, c)
#endif

#ifndef TILE
#define TILE 64
#endif

// pipelinify: launch weighted_sums
//   sizes   n=0,1,63,64,65,128,200,520 m=1,3
//   target  n=65536 m=4096
//   grid    m
//   block   64
//   x:      in  [m * n] range(-1, 1)
//   w:      in  [n] range(-1, 1)
//   y:      out [m * 64]
//   n:      n
__global__ void __launch_bounds__(TILE)
weighted_sums(const real *__restrict__ x, const real *__restrict__ w, real *__restrict__ y, int n)
{
    __shared__ real xs_stage[2][TILE], ws_stage[2][TILE];
    const int t = threadIdx.x;
    const real *row = x + (size_t)blockIdx.x * n;
    real sum = 0;
#ifdef WITH_OFFSET
    sum = w[0];
#endif
    // pipelinify: cp.async, 2 stages, source 58380869
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&xs_stage[load_stage][t], &row[k_load + t], sizeof(real),
                                    (k_load + t < n) ? 0 : sizeof(real));
            __pipeline_memcpy_async(&ws_stage[load_stage][t], &w[k_load + t], sizeof(real),
                                    (k_load + t < n) ? 0 : sizeof(real));
            k_load += TILE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < TILE; ++j)
            sum = FMA(xs_stage[stage][j], ws_stage[stage][(j + t) % TILE], sum);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * TILE + t] = sum;
}
