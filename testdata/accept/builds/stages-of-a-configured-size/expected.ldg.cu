// The size may be said by the build: stages leave room for a tile of twice the size.
#include <cuda_runtime.h>
#ifndef ROW_BYTES
#define ROW_BYTES 8192
#endif
#define ROW (ROW_BYTES / (int)sizeof(float))

// pipelinify: launch rows
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    128
//   x:       in  [n * 2048]
//   y:       out [128]
//   n:       n
__global__ void __launch_bounds__(128) rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][ROW];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source d246a665
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < ROW; i += 128)
            s_stage[0][i] = x[t * ROW + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[(ROW + 128 - 1) / 128];
            #pragma unroll
            for (int slot = 0; slot < (ROW + 128 - 1) / 128; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (slot < ROW / 128 || i < ROW)
                    s_next[slot] = x[t * ROW + i];
            }
            for (int k = 0; k < ROW; k += 8)
                sum += s_stage[stage][(k + threadIdx.x) % ROW];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (ROW + 128 - 1) / 128; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (slot < ROW / 128 || i < ROW)
                    s_stage[stage][i] = s_next[slot];
            }
            __syncthreads();
        }
        for (int k = 0; k < ROW; k += 8)
            sum += s_stage[stage][(k + threadIdx.x) % ROW];
    }
    y[threadIdx.x] = sum;
}
