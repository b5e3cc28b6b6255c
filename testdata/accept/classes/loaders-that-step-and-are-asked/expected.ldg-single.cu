// Loaders move on with each tile, and compute asks them how much is left; a guard by that, too.
#include <cuda_runtime.h>

struct Walker {
    const float *next;
    int left;

    __device__ void load(float (&tile)[64])
    {
        tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
    __device__ void load_what_is_left(float (&tile)[64])
    {
        if ((int)threadIdx.x < left)
            tile[threadIdx.x] = next[threadIdx.x];
        next += 64;
        left -= 64;
    }
};

// pipelinify: launch asked
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   a:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) asked(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n};
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source e86e95bd
    int k = 0;
    auto walker_tile = walker;
    if (k < n) {
        tile[threadIdx.x] = walker.next[threadIdx.x];
        walker.next += 64;
        walker.left -= 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = walker.next[threadIdx.x];
            walker_tile.next += 64;
            walker_tile.left -= 64;
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * walker_tile.left;
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            walker.next += 64;
            walker.left -= 64;
            __syncthreads();
        }
        walker_tile.next += 64;
        walker_tile.left -= 64;
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * walker_tile.left;
    }
    y[threadIdx.x] = sum;
}

// pipelinify: launch ragged
//   sizes    n=1,63,64,65,130,300
//   target   n=65536
//   grid     1
//   block    64
//   a:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) ragged(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Walker walker = {a, n};
    float sum = 0.0f;
    if (threadIdx.x >= n)
        tile[threadIdx.x] = 1.0f;
    // pipelinify: ldg-single, 1 stage, source c09a0771
    int k = 0;
    auto walker_tile = walker;
    if (k < n) {
        if ((int)threadIdx.x < walker.left)
            tile[threadIdx.x] = walker.next[threadIdx.x];
        walker.next += 64;
        walker.left -= 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next;
            if ((int)threadIdx.x < walker.left)
                tile_next = walker.next[threadIdx.x];
            walker_tile.next += 64;
            walker_tile.left -= 64;
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * (walker_tile.left + 64 - i);
            __syncthreads();
            if ((int)threadIdx.x < walker.left)
                tile[threadIdx.x] = tile_next;
            walker.next += 64;
            walker.left -= 64;
            __syncthreads();
        }
        walker_tile.next += 64;
        walker_tile.left -= 64;
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * (walker_tile.left + 64 - i);
    }
    y[threadIdx.x] = sum + walker.left;
}
