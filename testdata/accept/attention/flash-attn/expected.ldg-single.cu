// Single-head attention with an online softmax: one query row a thread, K and V tiles shared by the block.
#include <cuda_runtime.h>
#include <math_constants.h>

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
    __shared__ float Ks[kCols][kHeadDim];
    __shared__ float Vs[kCols][kHeadDim];

    const int tid = threadIdx.x;
    const int row = blockIdx.x * kRows + tid;

    float q[kHeadDim], o[kHeadDim];
    for (int d = 0; d < kHeadDim; ++d) {
        q[d] = row < nq ? Q[row * kHeadDim + d] * scale : 0.0f;
        o[d] = 0.0f;
    }
    float m = -CUDART_INF_F;
    float l = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 3c0c611b
    int k0 = 0, k0_tile = k0;
    if (k0 < nk) {
        auto compute_tile = [&]() {
            // ---- scores of this tile
            float s[kCols];
            float m_new = m;
#pragma unroll
            for (int c = 0; c < kCols; ++c) {
                float dot = 0.0f;
                for (int d = 0; d < kHeadDim; ++d) dot += q[d] * Ks[c][d];
                s[c] = (k0_tile + c < nk) ? dot : -CUDART_INF_F;
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
                for (int d = 0; d < kHeadDim; ++d) o[d] += p * Vs[c][d];
            }
            m = m_new;
        };
        // ---- K and V tiles, rows past the end are zero
        for (int e = tid; e < kCols * kHeadDim; e += kRows) {
            const int r = e / kHeadDim, d = e % kHeadDim;
            Ks[r][d] = (k0 + r < nk) ? K[(k0 + r) * kHeadDim + d] : 0.0f;
            Vs[r][d] = (k0 + r < nk) ? V[(k0 + r) * kHeadDim + d] : 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += kCols; k0 < nk; k0 += kCols) {
            float Ks_next[kCols * kHeadDim / kRows];
            float Vs_next[kCols * kHeadDim / kRows];
            // ---- K and V tiles, rows past the end are zero
#pragma unroll
            for (int slot = 0; slot < kCols * kHeadDim / kRows; ++slot) {
                int e = tid + slot * kRows;
                const int r = e / kHeadDim, d = e % kHeadDim;
                Ks_next[slot] = (k0 + r < nk) ? K[(k0 + r) * kHeadDim + d] : 0.0f;
                Vs_next[slot] = (k0 + r < nk) ? V[(k0 + r) * kHeadDim + d] : 0.0f;
            }
            compute_tile();
            k0_tile += kCols;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < kCols * kHeadDim / kRows; ++slot) {
                int e = tid + slot * kRows;
                const int r = e / kHeadDim, d = e % kHeadDim;
                Ks[r][d] = Ks_next[slot];
                Vs[r][d] = Vs_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }

    if (row < nq) {
        const float inv = l > 0.0f ? 1.0f / l : 0.0f;
        for (int d = 0; d < kHeadDim; ++d) O[row * kHeadDim + d] = o[d] * inv;
        L[row] = m + logf(l);
    }
}

}  // namespace attn
