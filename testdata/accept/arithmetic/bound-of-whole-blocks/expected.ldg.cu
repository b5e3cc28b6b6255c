// The bound is a multiple of the block's size, whatever that is.
#include <cuda_runtime.h>

// pipelinify: launch blocks
//   sizes  n=0,1,63,64,65,200
//   target n=65536
//   grid   1
//   block  64
//   n:     n
//   a:     in  [n] random
//   out:   out [64]
__global__ void blocks(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile_stage[2][256];
    const int size = blockDim.x;
    const int whole = (n + size - 1) / size * size;
    float s = 0.0f;

    int i = threadIdx.x;
    // pipelinify: ldg, 2 stages, source 09564f2d
    if (i < whole) {
        int stage = 0;
        tile_stage[0][threadIdx.x] = i < n ? a[i] : 0.0f;
        i += size;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (i < whole) {
            float tile_next = i < n ? a[i] : 0.0f;
            for (int k = 0; k < size; ++k)
                s += tile_stage[stage][k] * (k ^ threadIdx.x);
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            i += size;
            __syncthreads();
        }
        for (int k = 0; k < size; ++k)
            s += tile_stage[stage][k] * (k ^ threadIdx.x);
    }

    out[threadIdx.x] = s;
}
