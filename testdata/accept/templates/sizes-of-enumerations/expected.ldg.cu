// Tile sizes that are enumerators: of a byte that has no sign, of a short that has
// one, and of no integer that is named.
#include <cuda_runtime.h>

enum Lanes : unsigned char { LANES = 192, SPARE = 250 };
enum Steps : short { BACK = -64, AHEAD = 64 };
enum { NOWHERE = -1, EVERYWHERE = 4 };

// pipelinify: launch lanes_and_spare
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  192
//   a:     in  [tiles * 512] random
//   c:     out [192]
//   tiles: tiles
__global__ void __launch_bounds__(LANES)
lanes_and_spare(const float *__restrict__ a, float *__restrict__ c, int tiles)
{
    __shared__ float tile_stage[2][LANES + SPARE];
    const int t = threadIdx.x;
    int cells = LANES + SPARE;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 75394620
    int k = 0, stage = 0;
    if (k < tiles) {
        for (int i = t; i < cells; i += LANES)
            tile_stage[0][i] = a[k * 512 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float tile_next[((LANES + SPARE) + LANES - 1) / LANES];
            #pragma unroll
            for (int slot = 0; slot < ((LANES + SPARE) + LANES - 1) / LANES; ++slot) {
                int i = t + slot * LANES;
                if (slot < cells / LANES || i < cells)
                    tile_next[slot] = a[k * 512 + i];
            }
            for (int i = 0; i < 442; ++i)
                sum += tile_stage[stage][i] * (float)((i ^ t) & 3);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < ((LANES + SPARE) + LANES - 1) / LANES; ++slot) {
                int i = t + slot * LANES;
                if (slot < cells / LANES || i < cells)
                    tile_stage[stage][i] = tile_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 442; ++i)
            sum += tile_stage[stage][i] * (float)((i ^ t) & 3);
    }
    c[t] = sum;
}

// pipelinify: launch steps_back
//   sizes n=0,64,128,256
//   target n=262144
//   grid   1
//   block  64
//   a:     in  [n + 256] random
//   c:     out [64]
//   n:     n
__global__ void __launch_bounds__(64)
steps_back(const float *__restrict__ a, float *__restrict__ c, int n)
{
    __shared__ float tile_stage[2][EVERYWHERE * AHEAD];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 1234ae45
    int at = 0, stage = 0;
    if (at < n) {
        for (int r = NOWHERE < 0u ? EVERYWHERE : 0; r < EVERYWHERE; ++r)
            tile_stage[0][r * AHEAD + t] = a[at + r * AHEAD + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at -= BACK; at < n; at -= BACK) {
            float tile_next[EVERYWHERE];
            #pragma unroll
            for (int r = NOWHERE < 0u ? EVERYWHERE : 0; r < EVERYWHERE; ++r)
                tile_next[r] = a[at + r * AHEAD + t];
            for (int i = 0; i < EVERYWHERE * AHEAD; ++i)
                sum += tile_stage[stage][i] * (float)((i + t) & 3);
            stage ^= 1;
            #pragma unroll
            for (int r = NOWHERE < 0u ? EVERYWHERE : 0; r < EVERYWHERE; ++r)
                tile_stage[stage][r * AHEAD + t] = tile_next[r];
            __syncthreads();
        }
        for (int i = 0; i < EVERYWHERE * AHEAD; ++i)
            sum += tile_stage[stage][i] * (float)((i + t) & 3);
    }
    c[t] = sum;
}
