// Copy loops whose counters, first values and steps are narrower than int, and hold
// something else than what they are set to.
#include <cuda_runtime.h>

// pipelinify: launch byte_counter
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   x:     in  [tiles * 512] random
//   y:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
byte_counter(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float rows[4][128];
    const int t = threadIdx.x;
    int origin = 260;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 790553bb
    int k = 0;
    if (k < tiles) {
        for (unsigned char r = (unsigned char)origin; r < 8; ++r) // from 4
            rows[r - 4][t] = x[k * 512 + (r - 4) * 128 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float rows_next[4];
            #pragma unroll
            for (unsigned char r = (unsigned char)origin; r < 8; ++r) {
                // from 4
                rows_next[(r - ((unsigned char)origin))] = x[k * 512 + (r - 4) * 128 + t];
            }
            for (int i = 0; i < 512; ++i)
                sum += rows[i / 128][i % 128] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (unsigned char r = (unsigned char)origin; r < 8; ++r)
                rows[r - 4][t] = rows_next[(r - ((unsigned char)origin))];
            __syncthreads();
        }
        for (int i = 0; i < 512; ++i)
            sum += rows[i / 128][i % 128] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// pipelinify: launch narrow_steps
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   x:     in  [tiles * 1024] random
//   y:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
narrow_steps(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float low[512], high[512];
    const int t = threadIdx.x;
    signed char quarter = 256 + 32; // 32
    unsigned char nothing = 512;    // 0
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 96f52ce7
    int k = 0;
    if (k < tiles) {
        for (int i = t; i < 512; i += 4 * quarter)
            low[i] = x[k * 1024 + i];
        for (int i = t; i < 512; i += 128 + nothing)
            high[i] = x[k * 1024 + 512 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float low_next[4];
            float high_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * (4 * quarter);
                if (i < 512)
                    low_next[slot] = x[k * 1024 + i];
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * (128 + nothing);
                if (i < 512)
                    high_next[slot] = x[k * 1024 + 512 + i];
            }
            for (int i = 0; i < 512; ++i)
                sum += low[i] * high[511 - i] * (float)((i ^ t) & 3);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * (4 * quarter);
                if (i < 512)
                    low[i] = low_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * (128 + nothing);
                if (i < 512)
                    high[i] = high_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 512; ++i)
            sum += low[i] * high[511 - i] * (float)((i ^ t) & 3);
    }
    y[t] = sum;
}
