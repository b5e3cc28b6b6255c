// Causal attention, one query a thread row: key tiles above the diagonal end the walk by a break at the loop's head.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float ks_stage[2][BN][D + 1];
    __shared__ float vs_stage[2][BN][D];

    const int lane = threadIdx.x, row = threadIdx.y;
    const size_t head = (size_t)blockIdx.y * seq * D;
    const int q0 = blockIdx.x * BM;
    const int qrow = q0 + row;
    const int q_hi = min(q0 + BM, seq) - 1;

    qs[row][lane] = qrow < seq ? q[head + (size_t)qrow * D + lane] * scale : 0.0f;
    __syncthreads();

    float m = -1e30f, l = 0.0f, o = 0.0f;
    // pipelinify: cp.async, 2 stages, source a982942d
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < seq && k0_load <= q_hi) {
            const int krow = k0_load + row;
            __pipeline_memcpy_async(&ks_stage[load_stage][row][lane], &k[head + (size_t)krow * D + lane], sizeof(float),
                                    (krow < seq) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&vs_stage[load_stage][row][lane], &v[head + (size_t)krow * D + lane], sizeof(float),
                                    (krow < seq) ? 0 : sizeof(float));
            k0_load += BN;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    // nothing above the diagonal
    for (int k0 = 0; k0 < seq && k0 <= q_hi; k0 += BN) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int j = 0; j < BN; ++j) {
            if (k0 + j > qrow)
                continue;
            float s = 0.0f;
            #pragma unroll
            for (int c = 0; c < D; ++c)
                s += qs[row][c] * ks_stage[stage][j][c];
            const float hi = fmaxf(m, s);
            const float keep = expf(m - hi), p = expf(s - hi);
            l = l * keep + p;
            o = o * keep + p * vs_stage[stage][j][lane];
            m = hi;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (qrow < seq)
        out[head + (size_t)qrow * D + lane] = o / l;
}
