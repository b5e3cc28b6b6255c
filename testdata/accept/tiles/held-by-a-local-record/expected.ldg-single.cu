// A record and an array of the thread's own that lead to the tile: one buffer is what they lead to, as ever.
#include <cuda_runtime.h>

// pipelinify: launch weighted
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     2
//   block    128
//   a:       in  [n * 128 + 1]
//   out:     out [256]
//   n:       n
struct view {
    const float *cells;
    int first;
};

__global__ void weighted(const float *a, float *out, int n)
{
    __shared__ float tile[128];
    view seen;
    const float *rows[2];
    seen.cells = tile;
    seen.first = blockIdx.x;
    rows[0] = tile;
    rows[1] = tile + 64;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 2ddeebca
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = a[k * 128 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next = a[k * 128 + threadIdx.x];
            for (int i = seen.first; i < 64; ++i)
                sum += seen.cells[i] * rows[i & 1][threadIdx.x & 63];
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = seen.first; i < 64; ++i)
            sum += seen.cells[i] * rows[i & 1][threadIdx.x & 63];
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
