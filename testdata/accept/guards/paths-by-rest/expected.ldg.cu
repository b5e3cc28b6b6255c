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
    __shared__ StepParams sp_stage[2][64];
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    const float sq = sqrtf(dt);
    float s = 1.f;
    int t = 0;
    // pipelinify: ldg, 2 stages, source 64a80cb0
    int t_tile = t, stage = 0;
    if (t < steps) {
        auto compute_tile = [&]() {
            const int rest = steps - t_tile;
            const int chunk = rest < 64 ? rest : 64;
            if (p < paths) {
                for (int i = 0; i < chunk; ++i) {
                    const auto &par = sp_stage[stage][i];
                    s *= expf((par.drift - 0.5f * par.vol * par.vol) * dt + par.vol * sq * dW[(t_tile + i) * paths + p]);
                }
            }
            t_tile += chunk;
        };
        {
            const int rest = steps - t;
            const int chunk = rest < 64 ? rest : 64;
            if (threadIdx.x < chunk) {
                sp_stage[0][threadIdx.x] = StepParams{vol[t + threadIdx.x], drift[t + threadIdx.x]};
            }
            t += chunk;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (t < steps) {
            float sp_next;
            float sp_next2;
            const int rest = steps - t;
            const int chunk = rest < 64 ? rest : 64;
            if (threadIdx.x < chunk) {
                sp_next = vol[t + threadIdx.x];
                sp_next2 = drift[t + threadIdx.x];
            }
            compute_tile();
            stage ^= 1;
            if (threadIdx.x < chunk) {
                sp_stage[stage][threadIdx.x] = StepParams{sp_next, sp_next2};
            }
            t += chunk;
            __syncthreads();
        }
        compute_tile();
    }
    if (p < paths) S[p] = s;
}
