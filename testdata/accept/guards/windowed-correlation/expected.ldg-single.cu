// Correlation of two series window by window: each tile is reduced by the block in a scratch array with barriers of its own.
#include <cuda_runtime.h>

#define THREADS 64

// pipelinify: launch windowed_correlation
//   sizes  windows=0,1,2,3,4,5,8 pairs=1
//   sizes  windows=3 pairs=4
//   target windows=4096 pairs=256
//   grid   pairs
//   block  64
//   a:     in  [pairs * windows * 64] random
//   b:     in  [pairs * windows * 64] random
//   shift: 5
//   windows: windows
//   corr:  out [pairs * windows]
//   peak:  out [pairs]
//   work   bytes 8 * pairs * windows * 64
__global__ void windowed_correlation(const float* __restrict__ a,
                                     const float* __restrict__ b,
                                     int shift, int windows,
                                     float* __restrict__ corr,
                                     float* __restrict__ peak)
{
    __shared__ float sa[THREADS];
    __shared__ float sb[THREADS];
    __shared__ float scratch[THREADS];

    const int tid = threadIdx.x;
    const int series = blockIdx.x * windows * THREADS;
    float highest = 0.0f;

    // pipelinify: ldg-single, 1 stage, source a1185e5d
    int w = 0, w_tile = w;
    if (w < windows)
    {
        auto compute_tile = [&]()
        {
            // lagged product, then a tree reduction
            scratch[tid] = sa[tid] * sb[(tid + shift) % THREADS];
            __syncthreads();
            for (int half = THREADS / 2; half > 0; half /= 2)
            {
                if (tid < half)
                    scratch[tid] += scratch[tid + half];
                __syncthreads();
            }

            if (tid == 0)
            {
                corr[blockIdx.x * windows + w_tile] = scratch[0];
                highest = fmaxf(highest, fabsf(scratch[0]));
            }
        };
        sa[tid] = a[series + w * THREADS + tid];
        sb[tid] = b[series + w * THREADS + tid];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++w; w < windows; ++w)
        {
            float sa_next = a[series + w * THREADS + tid];
            float sb_next = b[series + w * THREADS + tid];
            compute_tile();
            ++w_tile;
            __syncthreads();
            sa[tid] = sa_next;
            sb[tid] = sb_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    if (tid == 0)
        peak[blockIdx.x] = highest;
}
