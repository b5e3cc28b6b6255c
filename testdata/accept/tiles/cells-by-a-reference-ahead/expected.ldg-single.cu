// Each thread has a reference to its cell of the tile, and to its row, from ahead of the loop on.
#include <cuda_fp16.h>
#define TILE 16

// pipelinify: launch depth_sum
//   sizes    planes=0,1,2,3,7 w=16,32
//   target   planes=512 w=2048
//   grid     w / 16, 1
//   block    16, 16
//   src:     in  [planes * 16 * w] random
//   weight:  in  [16] random
//   out:     out [16 * w]
//   planes:  planes
//   w:       w
__global__ void __launch_bounds__(TILE * TILE)
depth_sum(const half *__restrict__ src, const float *__restrict__ weight, float *__restrict__ out,
          int planes, int w)
{
    __shared__ float plane[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    float &mine = plane[y][x];
    float (&row)[TILE + 1] = plane[y];
    const float scale = weight[x];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 0b77f174
    int p = 0;
    if (p < planes) {
        mine = __half2float(src[(p * TILE + y) * w + blockIdx.x * TILE + x]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++p; p < planes; ++p) {
            half mine_next = src[(p * TILE + y) * w + blockIdx.x * TILE + x];
            for (int j = 0; j < TILE; ++j)
                sum += row[j] * scale - plane[j][x];
            __syncthreads();
            mine = __half2float(mine_next);
            __syncthreads();
        }
        for (int j = 0; j < TILE; ++j)
            sum += row[j] * scale - plane[j][x];
    }
    out[y * w + blockIdx.x * TILE + x] = sum;
}

struct Edge { int to; float cost; };

// pipelinify: launch relax
//   sizes    n=0,1,31,32,65
//   target   n=65536
//   grid     1
//   block    32
//   edges:   in  [n * 2] random
//   best:    out [32]
//   n:       n
__global__ void __launch_bounds__(32)
relax(const Edge *__restrict__ edges, float *__restrict__ best, int n)
{
    __shared__ Edge batch[32];
    Edge &slot = batch[threadIdx.x];
    float least = 1e30f;
    // pipelinify: ldg-single, 1 stage, source a381494b
    int at = 0, at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            const int left = min(32, n - at_tile);
            for (int i = 0; i < left; ++i)
                if (batch[i].to % 32 == threadIdx.x)
                    least = fminf(least, batch[i].cost);
        };
        {
            const int left = min(32, n - at);
            if (threadIdx.x < left)
                slot = edges[at + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 32; at < n; at += 32) {
            Edge slot_next;
            const int left = min(32, n - at);
            if (threadIdx.x < left)
                slot_next = edges[at + threadIdx.x];
            compute_tile();
            at_tile += 32;
            __syncthreads();
            if (threadIdx.x < left)
                slot = slot_next;
            __syncthreads();
        }
        compute_tile();
    }
    best[threadIdx.x] = least;
}
