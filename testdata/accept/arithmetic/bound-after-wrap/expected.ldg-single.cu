// Bounds that unsigned arithmetic has wrapped for: shifted, divided, taken the
// remainder of.
#include <cuda_runtime.h>

// pipelinify: launch mask_of_ones
//   sizes tiles=0,1,2,3
//   target tiles=2048
//   grid   1
//   block  256
//   x:     in  [tiles * 1024] random
//   y:     out [256]
//   tiles: tiles
__global__ void __launch_bounds__(256)
mask_of_ones(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[1024];
    const int t = threadIdx.x;
    unsigned lanes = 32;
    int live = (int)((lanes - 33u) >> 22) - 123; // 1023 - 123
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 94016e28
    int k = 0;
    if (k < tiles) {
        for (int i = t; i < live; i += 256)
            tile[i] = x[k * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float tile_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * 256;
                if (slot < live / 256 || i < live)
                    tile_next[slot] = x[k * 1024 + i];
            }
            for (int i = 0; i < 900; ++i)
                sum += tile[i] * (float)((i * 3 + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = t + slot * 256;
                if (slot < live / 256 || i < live)
                    tile[i] = tile_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 900; ++i)
            sum += tile[i] * (float)((i * 3 + t) & 7);
    }
    y[t] = sum;
}

// pipelinify: launch quotient_of_wrapped
//   sizes tiles=0,1,2,5
//   target tiles=2048
//   grid   1
//   block  256
//   x:     in  [tiles * 1024] random
//   y:     out [256]
//   tiles: tiles
__global__ void __launch_bounds__(256)
quotient_of_wrapped(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[1024];
    const int t = threadIdx.x;
    int shift = -7;
    unsigned taps = 5;
    int first = shift / 4u >> 22;             // 255
    int last = (taps - 6) / 8388608 + first;  // 511 + 255
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source d63e6d94
    int k = 0;
    if (k < tiles) {
        for (int i = first + t - 255; i < last; i += 256)
            tile[i] = x[k * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float tile_next[3];
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i = first + t - 255 + slot * 256;
                if (slot < last / 256 || i < last)
                    tile_next[slot] = x[k * 1024 + i];
            }
            for (int i = 0; i < 766; ++i)
                sum += tile[i] * (float)((i ^ t) & 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i = first + t - 255 + slot * 256;
                if (slot < last / 256 || i < last)
                    tile[i] = tile_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 766; ++i)
            sum += tile[i] * (float)((i ^ t) & 7);
    }
    y[t] = sum;
}
