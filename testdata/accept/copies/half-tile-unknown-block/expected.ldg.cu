#include <cuda_fp16.h>

// Converts while it copies, with stride blockDim.x: the grid is described, for
// blocks that are smaller and larger than what the registers are made for.
// pipelinify: launch half_tile_sum
//   sizes  tiles=0,1,2,3,4,7 threads=32,96,512
//   target tiles=2048 threads=256
//   grid   2
//   block  threads
//   in:    in  [tiles * 1024]
//   out:   out [2 * threads]
//   tiles: tiles
__global__ void half_tile_sum(const __half *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float tile_stage[2][1024];
    float s = 0.f;
    // pipelinify: ldg, 2 stages, source fcc5a636
    int t = 0, stage = 0;
    if (t < tiles) {
        for (int i = threadIdx.x; i < 1024; i += blockDim.x)
            tile_stage[0][i] = __half2float(in[t * 1024 + i]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            __half tile_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 1024)
                    tile_next[slot] = in[t * 1024 + i];
            }
            for (int j = 0; j < 1024; j += 16)
                s += tile_stage[stage][(j + threadIdx.x) & 1023];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 1024)
                    tile_stage[stage][i] = __half2float(tile_next[slot]);
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 4 * blockDim.x; i < 1024; i += blockDim.x)
                tile_stage[stage][i] = __half2float(in[t * 1024 + i]);
            __syncthreads();
        }
        for (int j = 0; j < 1024; j += 16)
            s += tile_stage[stage][(j + threadIdx.x) & 1023];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
