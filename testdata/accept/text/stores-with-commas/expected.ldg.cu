// A correlation of two rows in the terse C of the eighties: commas join the stores.
// pipelinify: launch ncc_rows
//   sizes    n=64,90 m=0,1,64,65,128,129,300,450
//   target   n=65536 m=8192
//   grid     (n + 63) / 64
//   block    64
//   a:       in [m + 1] random
//   b:       in [m + 1] random
//   o:       out [n]
//   n:       n
//   m:       m
#include <cuda_runtime.h>
__global__ void ncc_rows(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int m)
{
    __shared__ float sa_stage[2][64], sb_stage[2][64];
    int g = blockIdx.x * 64 + threadIdx.x, i = threadIdx.x;
    float s = 0.f, ss = 0.f;
    // pipelinify: ldg, 2 stages, source 83efabfe
    int k = 0, stage = 0;
    if (k < m) {
        if (k + i < m) sa_stage[0][i] = a[k + i], sb_stage[0][i] = b[k + i];
        else sa_stage[0][i] = sb_stage[0][i] = 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < m; k += 64) {
            float sa_next;
            float sb_next;
            if (k + i < m) {
                sa_next = a[k + i];
                sb_next = b[k + i];
            }
            for (int j = 0; j < 64; j++)
                s += sa_stage[stage][j] * sb_stage[stage][(j + g) % 64], ss += sb_stage[stage][j] * sb_stage[stage][j];
            stage ^= 1;
            if (k + i < m) {
                sa_stage[stage][i] = sa_next;
                sb_stage[stage][i] = sb_next;
            } else {
                sa_stage[stage][i] = sb_stage[stage][i] = 0.f;
            }
            __syncthreads();
        }
        for (int j = 0; j < 64; j++)
            s += sa_stage[stage][j] * sb_stage[stage][(j + g) % 64], ss += sb_stage[stage][j] * sb_stage[stage][j];
    }
    if (g < n) o[g] = s / (1.f + ss);
}
