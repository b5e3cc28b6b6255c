// Single-head attention with an online softmax: one query row a thread, K and V tiles shared by the block.
#include <cuda_runtime.h>
#include <math_constants.h>
#include <cuda_pipeline.h>

namespace attn {

constexpr int kHeadDim = 32;
constexpr int kRows    = 64;   // query rows per block, one thread each
constexpr int kCols    = 16;   // keys per tile

// pipelinify: launch attn::flash_forward
//   sizes  nq=64 nk=0,1,15,16,17,32,48,50,64,80
//   sizes  nq=70 nk=33
//   sizes  nq=1 nk=200
//   target nq=16384 nk=8192
//   grid   (nq + 63) / 64
//   block  64
//   Q:     in  [nq * 32] random
//   K:     in  [nk * 32] random
//   V:     in  [nk * 32] random
//   O:     out [nq * 32]
//   L:     out [nq]
//   scale: 0.17677669
//   nq:    nq
//   nk:    nk
//   work   flops 4 * nq * nk * 32
__global__ __launch_bounds__(kRows)
void flash_forward(const float* __restrict__ Q,
                   const float* __restrict__ K,
                   const float* __restrict__ V,
                   float* __restrict__ O,
                   float* __restrict__ L,
                   float scale, int nq, int nk)
{
    __shared__ __align__(16) float Ks_stage[2][kCols][kHeadDim];
    __shared__ __align__(16) float Vs_stage[2][kCols][kHeadDim];

    const int tid = threadIdx.x;
    const int row = blockIdx.x * kRows + tid;

    float q[kHeadDim], o[kHeadDim];
    for (int d = 0; d < kHeadDim; ++d) {
        q[d] = row < nq ? Q[row * kHeadDim + d] * scale : 0.0f;
        o[d] = 0.0f;
    }
    float m = -CUDART_INF_F;
    float l = 0.0f;

    // pipelinify: cp.async, 2 stages, source 3c0c611b
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == kRows && (size_t)K % 16 == 0 && (size_t)V % 16 == 0;
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < nk) {
            // ---- K and V tiles, rows past the end are zero
            if (joined) {
                for (int e = 4 * tid; e < kCols * kHeadDim; e += 4 * kRows) {
                    const int r = e / kHeadDim, d = e % kHeadDim;
                    __pipeline_memcpy_async(&Ks_stage[load_stage][r][d], &K[(k0_load + r) * kHeadDim + d], 16,
                                            (k0_load + r < nk) ? 0 : 16);
                    __pipeline_memcpy_async(&Vs_stage[load_stage][r][d], &V[(k0_load + r) * kHeadDim + d], 16,
                                            (k0_load + r < nk) ? 0 : 16);
                }
            } else {
                for (int e = tid; e < kCols * kHeadDim; e += kRows) {
                    const int r = e / kHeadDim, d = e % kHeadDim;
                    __pipeline_memcpy_async(&Ks_stage[load_stage][r][d], &K[(k0_load + r) * kHeadDim + d],
                                            sizeof(float), (k0_load + r < nk) ? 0 : sizeof(float));
                    __pipeline_memcpy_async(&Vs_stage[load_stage][r][d], &V[(k0_load + r) * kHeadDim + d],
                                            sizeof(float), (k0_load + r < nk) ? 0 : sizeof(float));
                }
            }
            k0_load += kCols;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < nk; k0 += kCols) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        // ---- scores of this tile
        float s[kCols];
        float m_new = m;
#pragma unroll
        for (int c = 0; c < kCols; ++c) {
            float dot = 0.0f;
            for (int d = 0; d < kHeadDim; ++d) dot += q[d] * Ks_stage[stage][c][d];
            s[c] = (k0 + c < nk) ? dot : -CUDART_INF_F;
            m_new = fmaxf(m_new, s[c]);
        }

        // ---- rescale and accumulate
        const float correction = expf(m - m_new);
        l *= correction;
        for (int d = 0; d < kHeadDim; ++d) o[d] *= correction;
#pragma unroll
        for (int c = 0; c < kCols; ++c) {
            const float p = expf(s[c] - m_new);
            l += p;
            for (int d = 0; d < kHeadDim; ++d) o[d] += p * Vs_stage[stage][c][d];
        }
        m = m_new;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (row < nq) {
        const float inv = l > 0.0f ? 1.0f / l : 0.0f;
        for (int d = 0; d < kHeadDim; ++d) O[row * kHeadDim + d] = o[d] * inv;
        L[row] = m + logf(l);
    }
}

}  // namespace attn
