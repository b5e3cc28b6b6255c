// Two products with one left operand, Q = X Wq and K = X Wk, from three tiles in one pass.
#include <cuda_runtime.h>

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
    __shared__ float sx_stage[2][TS][TS], sq_stage[2][TS][TS], sk_stage[2][TS][TS];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int tok = blockIdx.y * TS + ly;
    const int head = blockIdx.x * TS + lx;
    float q = 0.f, k = 0.f;

    const int steps = (dim + TS - 1) / TS;
    // pipelinify: ldg, 2 stages, source e23efcf0
    int s = 0, stage = 0;
    if (s < steps) {
        auto compute_tile = [&]() {
            #pragma unroll
            for (int d = 0; d < TS; ++d) {
                const float x = sx_stage[stage][ly][d];
                q += x * sq_stage[stage][d][lx];
                k += x * sk_stage[stage][d][lx];
            }
        };
        {
            const int xd = s * TS + lx;
            const int wd = s * TS + ly;

            sx_stage[0][ly][lx] = 0.f;
            if (tok < tokens && xd < dim) sx_stage[0][ly][lx] = X[tok * dim + xd];

            const bool w_ok = wd < dim && head < heads;
            sq_stage[0][ly][lx] = w_ok ? Wq[wd * heads + head] : 0.f;
            sk_stage[0][ly][lx] = w_ok ? Wk[wd * heads + head] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++s; s < steps; ++s) {
            float sx_next;
            const int xd = s * TS + lx;
            const int wd = s * TS + ly;

            if (tok < tokens && xd < dim)
                sx_next = X[tok * dim + xd];

            const bool w_ok = wd < dim && head < heads;
            float sq_next = w_ok ? Wq[wd * heads + head] : 0.f;
            float sk_next = w_ok ? Wk[wd * heads + head] : 0.f;
            compute_tile();
            stage ^= 1;
            sx_stage[stage][ly][lx] = 0.f;
            if (tok < tokens && xd < dim)
                sx_stage[stage][ly][lx] = sx_next;
            sq_stage[stage][ly][lx] = sq_next;
            sk_stage[stage][ly][lx] = sk_next;
            __syncthreads();
        }
        compute_tile();
    }

    if (tok < tokens && head < heads) {
        Q[tok * heads + head] = q;
        Kout[tok * heads + head] = k;
    }
}
