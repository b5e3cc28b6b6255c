// Single-head attention with an online softmax: one query row a thread, K and V tiles shared by the block.
#include <cuda_runtime.h>
#include <math_constants.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

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

    // pipelinify: pipeline-block, 2 stages, source 3c0c611b
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == kRows && (size_t)K % 16 == 0 && (size_t)V % 16 == 0;
#pragma nv_diagnostic push
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
#pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        pipe.producer_acquire();
        if (k0_load < nk) {
            // ---- K and V tiles, rows past the end are zero
            if (joined) {
                for (int e = 4 * tid; e < kCols * kHeadDim; e += 4 * kRows) {
                    const int r = e / kHeadDim, d = e % kHeadDim;
                    if (k0_load + r < nk) {
                        cuda::memcpy_async(&Ks_stage[load_stage][r][d], &K[(k0_load + r) * kHeadDim + d],
                                           cuda::aligned_size_t<16>(16), pipe);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            (&Ks_stage[load_stage][r][d])[each] = 0.0f;
                        }
                    }
                    if (k0_load + r < nk) {
                        cuda::memcpy_async(&Vs_stage[load_stage][r][d], &V[(k0_load + r) * kHeadDim + d],
                                           cuda::aligned_size_t<16>(16), pipe);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            (&Vs_stage[load_stage][r][d])[each] = 0.0f;
                        }
                    }
                }
            } else {
                for (int e = tid; e < kCols * kHeadDim; e += kRows) {
                    const int r = e / kHeadDim, d = e % kHeadDim;
                    if (k0_load + r < nk) {
                        cuda::memcpy_async(&Ks_stage[load_stage][r][d], &K[(k0_load + r) * kHeadDim + d],
                                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                    } else {
                        Ks_stage[load_stage][r][d] = 0.0f;
                    }
                    if (k0_load + r < nk) {
                        cuda::memcpy_async(&Vs_stage[load_stage][r][d], &V[(k0_load + r) * kHeadDim + d],
                                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                    } else {
                        Vs_stage[load_stage][r][d] = 0.0f;
                    }
                }
            }
            k0_load += kCols;
        }
        pipe.producer_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < nk; k0 += kCols) {
        copy_tile(stage ^ 1);
        pipe.consumer_wait();

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
        pipe.consumer_release();
        stage ^= 1;
    }
    pipe.consumer_wait();
    pipe.consumer_release();

    if (row < nq) {
        const float inv = l > 0.0f ? 1.0f / l : 0.0f;
        for (int d = 0; d < kHeadDim; ++d) O[row * kHeadDim + d] = o[d] * inv;
        L[row] = m + logf(l);
    }
}

}  // namespace attn
