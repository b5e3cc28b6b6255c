// A share of the tile that a float is computed for: 1.5 of 400, not 1.
#include <cuda_runtime.h>

// pipelinify: launch one_and_a_half
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  100
//   p:     in  [tiles * 600] random
//   q:     out [100]
//   tiles: tiles
__global__ void one_and_a_half(const float *__restrict__ p, float *__restrict__ q, int tiles)
{
    __shared__ float part[600];
    const int t = threadIdx.x;
    float share = 3;
    int cells = share / 2 * 400;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 331a7b0b
    int k = 0;
    if (k < tiles) {
        for (int i = t; i < cells; i += 100)
            part[i] = p[k * 600 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float part_next[6];
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int i = t + slot * 100;
                if (i < cells)
                    part_next[slot] = p[k * 600 + i];
            }
            for (int i = 0; i < 600; ++i)
                sum += part[i] * (float)((i * t) & 3);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int i = t + slot * 100;
                if (i < cells)
                    part[i] = part_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 600; ++i)
            sum += part[i] * (float)((i * t) & 3);
    }
    q[t] = sum;
}
