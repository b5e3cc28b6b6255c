#include <cuda_runtime.h>

#define TS 32

// One channel's bins from its samples, a tile of samples at a time. The twiddle
// factors of the tile and the number of samples that count are made where the
// samples are loaded.
//
// pipelinify: launch dft_bins
//   sizes    n=0,1,32,33,96,130
//   target   n=65536
//   grid     2
//   block    32
//   samples: in  [2 * n + 1] random
//   bins:    out [2 * 32]
//   n:       n
__global__ void dft_bins(const float2 *__restrict__ samples,
                         float2 *__restrict__ bins, int n)
{
    __shared__ float2 x[TS];
    __shared__ float2 w[TS];
    __shared__ int valid;

    const int f = threadIdx.x;
    float2 acc = make_float2(0.f, 0.f);

    // pipelinify: ldg-single, 1 stage, source 4202ae1d
    int t0 = 0;
    if (t0 < n) {
        auto compute_tile = [&]() {
            for (int k = 0; k < valid; ++k) {
                const float2 r = w[(k * (f + 1)) % TS];
                acc.x += x[k].x * r.x - x[k].y * r.y;
                acc.y += x[k].x * r.y + x[k].y * r.x;
            }
        };
        {
            const int t = t0 + threadIdx.x;
            x[threadIdx.x] = t < n ? samples[(size_t)blockIdx.x * n + t]
                                   : make_float2(0.f, 0.f);
            float s, c;
            sincospif(-2.f * (float)t / (float)n, &s, &c);
            w[threadIdx.x] = make_float2(c, s);
            if (threadIdx.x == 0)
                valid = min(TS, n - t0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t0 += TS; t0 < n; t0 += TS) {
            const int t = t0 + threadIdx.x;
            float2 x_next = t < n ? samples[(size_t)blockIdx.x * n + t]
                                  : make_float2(0.f, 0.f);
            compute_tile();
            __syncthreads();
            {
                x[threadIdx.x] = x_next;
                float s, c;
                sincospif(-2.f * (float)t / (float)n, &s, &c);
                w[threadIdx.x] = make_float2(c, s);
                if (threadIdx.x == 0)
                    valid = min(TS, n - t0);
            }
            __syncthreads();
        }
        compute_tile();
    }
    bins[blockIdx.x * TS + f] = acc;
}
