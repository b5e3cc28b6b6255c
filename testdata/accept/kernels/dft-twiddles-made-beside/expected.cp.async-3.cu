#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float2 x_stage[stages][TS];
    __shared__ float2 w_stage[stages][TS];
    __shared__ int valid_stage[stages];

    const int f = threadIdx.x;
    float2 acc = make_float2(0.f, 0.f);

    // pipelinify: cp.async, 3 stages, source 4202ae1d
    int t0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t0_load < n) {
            const int t = t0_load + threadIdx.x;
            __pipeline_memcpy_async(&x_stage[load_stage][threadIdx.x],
                                    &samples[(size_t)blockIdx.x * n + t],
                                    sizeof(float2),
                                    (t < n) ? 0 : sizeof(float2));
            float s, c;
            sincospif(-2.f * (float)t / (float)n, &s, &c);
            w_stage[load_stage][threadIdx.x] = make_float2(c, s);
            if (threadIdx.x == 0)
                valid_stage[load_stage] = min(TS, n - t0_load);
            t0_load += TS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t0 = 0; t0 < n; t0 += TS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int k = 0; k < valid_stage[stage]; ++k) {
            const float2 r = w_stage[stage][(k * (f + 1)) % TS];
            acc.x += x_stage[stage][k].x * r.x - x_stage[stage][k].y * r.y;
            acc.y += x_stage[stage][k].x * r.y + x_stage[stage][k].y * r.x;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    bins[blockIdx.x * TS + f] = acc;
}
