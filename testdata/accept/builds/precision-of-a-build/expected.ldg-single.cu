// Weighted sums in the precision that a build asks for, which the rewritten text
// leaves open too.
#include <cuda_runtime.h>

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
    __shared__ real xs[TILE], ws[TILE];
    const int t = threadIdx.x;
    const real *row = x + (size_t)blockIdx.x * n;
    real sum = 0;
#ifdef WITH_OFFSET
    sum = w[0];
#endif
    // pipelinify: ldg-single, 1 stage, source 58380869
    int k = 0;
    if (k < n) {
        xs[t] = k + t < n ? row[k + t] : real(0);
        ws[t] = k + t < n ? w[k + t] : real(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            real xs_next = real(0);
            if (k + t < n)
                xs_next = row[k + t];
            real ws_next = real(0);
            if (k + t < n)
                ws_next = w[k + t];
            for (int j = 0; j < TILE; ++j)
                sum = FMA(xs[j], ws[(j + t) % TILE], sum);
            __syncthreads();
            xs[t] = xs_next;
            ws[t] = ws_next;
            __syncthreads();
        }
        for (int j = 0; j < TILE; ++j)
            sum = FMA(xs[j], ws[(j + t) % TILE], sum);
    }
    y[blockIdx.x * TILE + t] = sum;
}
