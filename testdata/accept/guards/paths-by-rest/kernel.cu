// Price paths in steps of time, whose parameters a block loads by the chunk; the
// last one is what is left.
// pipelinify: launch mc_discount
//   sizes    paths=5,100 steps=0,1,63,64,65,150
//   target   paths=65536 steps=512
//   grid     (paths + 63) / 64
//   block    64
//   dW:      in [paths * steps + 1] random
//   vol:     in [steps + 1] random
//   drift:   in [steps + 1] random
//   S:       out [paths]
//   paths:   paths
//   steps:   steps
//   dt:      0.01
#include <cuda_runtime.h>
struct StepParams { float vol, drift; };
__global__ void mc_discount(const float *__restrict__ dW, const float *__restrict__ vol, const float *__restrict__ drift,
                            float *__restrict__ S, int paths, int steps, float dt)
{
    __shared__ StepParams sp[64];
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    const float sq = sqrtf(dt);
    float s = 1.f;
    int t = 0;
    for (;;) {
        if (t >= steps) break;
        const int rest = steps - t;
        const int chunk = rest < 64 ? rest : 64;
        if (threadIdx.x < chunk) {
            sp[threadIdx.x] = StepParams{vol[t + threadIdx.x], drift[t + threadIdx.x]};
        }
        __syncthreads();
        if (p < paths) {
            for (int i = 0; i < chunk; ++i) {
                const auto &par = sp[i];
                s *= expf((par.drift - 0.5f * par.vol * par.vol) * dt + par.vol * sq * dW[(t + i) * paths + p]);
            }
        }
        __syncthreads();
        t += chunk;
    }
    if (p < paths) S[p] = s;
}
