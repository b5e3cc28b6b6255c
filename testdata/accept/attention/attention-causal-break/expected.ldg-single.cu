// Causal attention, one query a thread row: key tiles above the diagonal end the walk by a break at the loop's head.
#include <cuda_runtime.h>

#define BM 16
#define BN 16
#define D 32

// pipelinify: launch causal_attention
//   sizes  seq=1,15,16,17,32,33,64,95 heads=1
//   sizes  seq=33 heads=2
//   target seq=2048 heads=16
//   grid   (seq + 15) / 16, heads
//   block  32, 16
//   q:     in  [heads * seq * 32]
//   k:     in  [heads * seq * 32]
//   v:     in  [heads * seq * 32]
//   out:   out [heads * seq * 32]
//   seq:   seq
//   scale: 0.1767767f
__global__ void causal_attention(const float *__restrict__ q, const float *__restrict__ k,
                                 const float *__restrict__ v, float *__restrict__ out,
                                 int seq, float scale)
{
    __shared__ float qs[BM][D];
    __shared__ float ks[BN][D + 1];
    __shared__ float vs[BN][D];

    const int lane = threadIdx.x, row = threadIdx.y;
    const size_t head = (size_t)blockIdx.y * seq * D;
    const int q0 = blockIdx.x * BM;
    const int qrow = q0 + row;
    const int q_hi = min(q0 + BM, seq) - 1;

    qs[row][lane] = qrow < seq ? q[head + (size_t)qrow * D + lane] * scale : 0.0f;
    __syncthreads();

    float m = -1e30f, l = 0.0f, o = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a982942d
    int k0 = 0, k0_tile = k0;
    if (k0 < seq && k0 <= q_hi) {
        auto compute_tile = [&]() {
            for (int j = 0; j < BN; ++j) {
                if (k0_tile + j > qrow)
                    continue;
                float s = 0.0f;
                #pragma unroll
                for (int c = 0; c < D; ++c)
                    s += qs[row][c] * ks[j][c];
                const float hi = fmaxf(m, s);
                const float keep = expf(m - hi), p = expf(s - hi);
                l = l * keep + p;
                o = o * keep + p * vs[j][lane];
                m = hi;
            }
        };
        {
            const int krow = k0 + row;
            ks[row][lane] = krow < seq ? k[head + (size_t)krow * D + lane] : 0.0f;
            vs[row][lane] = krow < seq ? v[head + (size_t)krow * D + lane] : 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        // nothing above the diagonal
        for (k0 += BN; k0 < seq && k0 <= q_hi; k0 += BN) {
            const int krow = k0 + row;
            float ks_next = krow < seq ? k[head + (size_t)krow * D + lane] : 0.0f;
            float vs_next = krow < seq ? v[head + (size_t)krow * D + lane] : 0.0f;
            compute_tile();
            k0_tile += BN;
            __syncthreads();
            ks[row][lane] = ks_next;
            vs[row][lane] = vs_next;
            __syncthreads();
        }
        compute_tile();
    }

    if (qrow < seq)
        out[head + (size_t)qrow * D + lane] = o / l;
}
