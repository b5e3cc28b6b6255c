// Two products with one left operand, Q = X Wq and K = X Wk, from three tiles in one pass.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TS 16

// pipelinify: launch project_qk
//   sizes    tokens=16 dim=0,1,15,16,17,32,48,64,80 heads=16
//   sizes    tokens=25 dim=33 heads=18
//   target   tokens=4096 dim=1024 heads=1024
//   requires tokens > 0 && heads > 0
//   grid     (heads + 15) / 16, (tokens + 15) / 16
//   block    16, 16
//   X:       in  [tokens * dim]
//   Wq:      in  [dim * heads]
//   Wk:      in  [dim * heads]
//   Q:       out [tokens * heads]
//   Kout:    out [tokens * heads]
//   tokens:  tokens
//   dim:     dim
//   heads:   heads
__global__ void project_qk(const float *X, const float *Wq, const float *Wk, float *Q, float *Kout,
                           int tokens, int dim, int heads)
{
    constexpr int stages = 3;
    __shared__ float sx_stage[stages][TS][TS], sq_stage[stages][TS][TS], sk_stage[stages][TS][TS];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int tok = blockIdx.y * TS + ly;
    const int head = blockIdx.x * TS + lx;
    float q = 0.f, k = 0.f;

    const int steps = (dim + TS - 1) / TS;
    // pipelinify: cp.async, 3 stages, source 6bff095f
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < steps) {
            const int xd = s_load * TS + lx;
            const int wd = s_load * TS + ly;

            if (tok < tokens && xd < dim)
                __pipeline_memcpy_async(&sx_stage[load_stage][ly][lx], &X[tok * dim + xd],
                                        sizeof(float));
            else
                sx_stage[load_stage][ly][lx] = 0.f;

            const bool w_ok = wd < dim && head < heads;
            __pipeline_memcpy_async(&sq_stage[load_stage][ly][lx], &Wq[wd * heads + head],
                                    sizeof(float), w_ok ? 0 : sizeof(float));
            __pipeline_memcpy_async(&sk_stage[load_stage][ly][lx], &Wk[wd * heads + head],
                                    sizeof(float), w_ok ? 0 : sizeof(float));
            ++s_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int s = 0; s < steps; ++s) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        #pragma unroll
        for (int d = 0; d < TS; ++d) {
            const float x = sx_stage[stage][ly][d];
            q += x * sq_stage[stage][d][lx];
            k += x * sk_stage[stage][d][lx];
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (tok < tokens && head < heads) {
        Q[tok * heads + head] = q;
        Kout[tok * heads + head] = k;
    }
}
