// Attention of one query over a paged cache: the block table gives the page of each tile, logits go through a scratch array.
#include <cuda_runtime.h>
#include <float.h>
#include <cuda_pipeline.h>
#define HD 32
#define PAGE 16
// pipelinify: launch paged_decode
//   sizes seqs=2 maxp=6 ctx=1,15,16,17,32,40,64,96 pool=7
//   sizes seqs=1 maxp=1 ctx=0,16 pool=1
//   target seqs=256 maxp=128 ctx=2048 pool=32768
//   grid seqs
//   block 32
//   q: in [seqs * 32]
//   kc: in [pool * 16 * 32]
//   vc: in [pool * 16 * 32]
//   table: in [seqs * maxp] below(pool)
//   ctxlen: in [seqs] const(1)
//   ctx: ctx
//   out: out [seqs * 32]
//   maxp: maxp
__global__ void paged_decode(const float *__restrict__ q, const float *__restrict__ kc, const float *__restrict__ vc,
                             const int *__restrict__ table, const int *__restrict__ ctxlen, int ctx, float *__restrict__ out, int maxp)
{
    __shared__ float ks_stage[2][PAGE][HD + 1], vs_stage[2][PAGE][HD];
    __shared__ float logits[PAGE];
    const int s = blockIdx.x, d = threadIdx.x;
    const int n = ctxlen[s] * ctx;
    const int *bt = table + s * maxp;
    float mx = -FLT_MAX, den = 0.f, acc = 0.f;
    // pipelinify: cp.async, 2 stages, source 29231463
    int p_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < (n + PAGE - 1) / PAGE) {
            const long long phys = bt[p_load];
            const float *kp = kc + phys * PAGE * HD;
            const float *vp = vc + phys * PAGE * HD;
            for (int r = 0; r < PAGE; ++r) {
                __pipeline_memcpy_async(&ks_stage[load_stage][r][d], &kp[r * HD + d], sizeof(float));
                __pipeline_memcpy_async(&vs_stage[load_stage][r][d], &vp[r * HD + d], sizeof(float));
            }
            ++p_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int p = 0; p < (n + PAGE - 1) / PAGE; ++p) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (d < PAGE) {
            float dot = 0.f;
            for (int i = 0; i < HD; ++i) dot += q[s * HD + i] * ks_stage[stage][d][i];
            logits[d] = p * PAGE + d < n ? dot : -FLT_MAX;
        }
        __syncthreads();
        float m2 = mx;
        for (int r = 0; r < PAGE; ++r) m2 = fmaxf(m2, logits[r]);
        const float corr = __expf(mx - m2);
        den *= corr; acc *= corr;
        for (int r = 0; r < PAGE; ++r) {
            float w = __expf(logits[r] - m2);
            den += w;
            acc += w * vs_stage[stage][r][d];
        }
        mx = m2;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[s * HD + d] = acc / den;
}
