// Naive DFT of a batch of complex signals: tiles of samples and of twiddle factors picked by (k * n) mod N from a table.
#include <cuda_runtime.h>
#include <math.h>
#include <vector>
#include <cuda_pipeline.h>

#define W 16

// pipelinify: launch dft_batch
//   sizes  N=1,15,16,17,32,48,64,80 batch=8
//   sizes  N=21 batch=20
//   target N=1024 batch=1024
//   grid   (batch + 15) / 16, (N + 15) / 16
//   block  16, 16
//   sig:   in  [N * batch] random
//   tw:    in  [N] random
//   spec:  out [N * batch]
//   N:     N
//   batch: batch
//   work   flops 8 * N * N * batch
__global__ void dft_batch(const float2* __restrict__ sig, const float2* __restrict__ tw,
                          float2* __restrict__ spec, int N, int batch)
{
    constexpr int stages = 3;
    __shared__ float2 s_sig_stage[stages][W][W];
    __shared__ float2 s_tw_stage[stages][W][W];

    const int b = blockIdx.x * W + threadIdx.x;
    const int k = blockIdx.y * W + threadIdx.y;
    float2 acc  = make_float2(0.0f, 0.0f);

    // pipelinify: cp.async, 3 stages, source 9647efb5
    int n0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (n0_load < N)
        {
            const int n_row = n0_load + threadIdx.y;
            const int n_col = n0_load + threadIdx.x;

            float2 zero = make_float2(0.0f, 0.0f);
            if (n_row < N && b < batch)
            {
                __pipeline_memcpy_async(&s_sig_stage[load_stage][threadIdx.y][threadIdx.x], &sig[n_row * batch + b],
                                        sizeof(float2));
            }
            else
            {
                s_sig_stage[load_stage][threadIdx.y][threadIdx.x] = zero;
            }
            if (n_col < N && k < N)
            {
                __pipeline_memcpy_async(&s_tw_stage[load_stage][threadIdx.y][threadIdx.x], &tw[(k * n_col) % N],
                                        sizeof(float2));
            }
            else
            {
                s_tw_stage[load_stage][threadIdx.y][threadIdx.x] = zero;
            }
            n0_load += W;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int n0 = 0; n0 < N; n0 += W)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int n = 0; n < W; ++n)
        {
            const float2 t = s_tw_stage[stage][threadIdx.y][n];
            const float2 v = s_sig_stage[stage][n][threadIdx.x];
            acc.x += t.x * v.x - t.y * v.y;
            acc.y += t.x * v.y + t.y * v.x;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (k < N && b < batch)
        spec[k * batch + b] = acc;
}

std::vector<float2> make_twiddles(int N)
{
    std::vector<float2> t(N);
    for (int i = 0; i < N; ++i)
        t[i] = make_float2((float)cos(-2.0 * M_PI * i / N), (float)sin(-2.0 * M_PI * i / N));
    return t;
}
