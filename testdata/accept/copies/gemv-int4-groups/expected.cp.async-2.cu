// Matrix-vector product with 4-bit weights and a scale for each group of 64: x is staged as half2.
#include <cuda_fp16.h>
#include <cstdint>
#include <cuda_pipeline.h>
constexpr int GROUP = 64, CH = 128, TH = 64;
// pipelinify: launch gemv_int4
//   sizes N=64,70 K=0,128,256,384,512,640
//   target N=16384 K=8192
//   grid (N + 63) / 64
//   block 64
//   W: in [N * K / 8 + 1]
//   S: in [N * (K / 64) + 1] range(0.01, 0.1)
//   x: in [K + 2]
//   y: out [N]
//   N: N
//   K: K
__global__ void __launch_bounds__(TH) gemv_int4(const uint32_t *__restrict__ W, const half *__restrict__ S, const half *__restrict__ x, float *__restrict__ y, int N, int K)
{
    __shared__ half2 xs_stage[2][CH / 2];
    const int n = blockIdx.x * TH + threadIdx.x;
    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source 6a6f7072
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            const half2 *x2 = (const half2 *)(x + k_load);
#pragma unroll
            for (int i = threadIdx.x; i < CH / 2; i += TH)
                __pipeline_memcpy_async(&xs_stage[load_stage][i], &x2[i], sizeof(half2));
            k_load += CH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += CH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (n < N) {
#pragma unroll
            for (int g = 0; g < CH / GROUP; ++g) {
                const float s = __half2float(S[n * (K / GROUP) + k / GROUP + g]);
                float part = 0.f;
                for (int w = 0; w < GROUP / 8; ++w) {
                    uint32_t q = W[((size_t)n * K + k + g * GROUP) / 8 + w];
#pragma unroll
                    for (int b = 0; b < 4; ++b) {
                        const float2 f = __half22float2(xs_stage[stage][g * GROUP / 2 + w * 4 + b]);
                        part += f.x * ((int)(q & 15) - 8) + f.y * ((int)((q >> 4) & 15) - 8);
                        q >>= 8;
                    }
                }
                acc += s * part;
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (n < N) y[n] = acc;
}
