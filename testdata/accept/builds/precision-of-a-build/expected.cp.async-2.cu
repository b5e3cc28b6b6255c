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
    {
        int k = 0;
        auto k_load = k;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &xs = xs_stage[load_stage];
                auto &ws = ws_stage[load_stage];
                auto &k = k_load;
                __pipeline_memcpy_async(&xs[t], &row[k + t], sizeof(real),
                                        (k + t < n) ? 0 : sizeof(real));
                __pipeline_memcpy_async(&ws[t], &w[k + t], sizeof(real),
                                        (k + t < n) ? 0 : sizeof(real));
                k += TILE;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k < n; k += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &xs = xs_stage[stage];
                auto &ws = ws_stage[stage];
                for (int j = 0; j < TILE; ++j)
                    sum = FMA(xs[j], ws[(j + t) % TILE], sum);
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    y[blockIdx.x * TILE + t] = sum;
}
