// Naive DFT of a batch of complex signals: tiles of samples and of twiddle factors picked by (k * n) mod N from a table.
#include <cuda_runtime.h>
#include <math.h>
#include <vector>

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
    __shared__ float2 s_sig_stage[2][W][W];
    __shared__ float2 s_tw_stage[2][W][W];

    const int b = blockIdx.x * W + threadIdx.x;
    const int k = blockIdx.y * W + threadIdx.y;
    float2 acc  = make_float2(0.0f, 0.0f);

    // pipelinify: ldg, 2 stages, source 9647efb5
    int n0 = 0, stage = 0;
    if (n0 < N)
    {
        auto compute_tile = [&]()
        {
            for (int n = 0; n < W; ++n)
            {
                const float2 t = s_tw_stage[stage][threadIdx.y][n];
                const float2 v = s_sig_stage[stage][n][threadIdx.x];
                acc.x += t.x * v.x - t.y * v.y;
                acc.y += t.x * v.y + t.y * v.x;
            }
        };
        {
            const int n_row = n0 + threadIdx.y;
            const int n_col = n0 + threadIdx.x;

            float2 zero = make_float2(0.0f, 0.0f);
            s_sig_stage[0][threadIdx.y][threadIdx.x] = (n_row < N && b < batch) ? sig[n_row * batch + b] : zero;
            s_tw_stage[0][threadIdx.y][threadIdx.x]  = (n_col < N && k < N) ? tw[(k * n_col) % N] : zero;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += W; n0 < N; n0 += W)
        {
            const int n_row = n0 + threadIdx.y;
            const int n_col = n0 + threadIdx.x;

            float2 zero = make_float2(0.0f, 0.0f);
            float2 s_sig_next = (n_row < N && b < batch) ? sig[n_row * batch + b] : zero;
            float2 s_tw_next = (n_col < N && k < N) ? tw[(k * n_col) % N] : zero;
            compute_tile();
            stage ^= 1;
            s_sig_stage[stage][threadIdx.y][threadIdx.x] = s_sig_next;
            s_tw_stage[stage][threadIdx.y][threadIdx.x] = s_tw_next;
            __syncthreads();
        }
        compute_tile();
    }

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
