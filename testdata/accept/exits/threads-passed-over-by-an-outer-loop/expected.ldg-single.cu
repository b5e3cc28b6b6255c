// An outer loop passes over threads that are beyond the end: they fill no cells this time.
#include <cuda_runtime.h>

// pipelinify: launch strips
//   sizes  width=64,80,96,128
//   target width=4096
//   grid   1
//   block  64
//   width: width
//   img:   in  [width * 3 + 64] random
//   sum:   inout [width + 64] random
__global__ void strips(int width, const float *__restrict__ img, float *__restrict__ sum)
{
    __shared__ float column[64];

    for (int strip = 0; strip * 64 < width; ++strip) {
        const int x = strip * 64 + threadIdx.x;
        if (x >= width)
            continue;
        float s = 0.0f;
        // pipelinify: ldg-single, 1 stage, source 3ce93249
        int y = 0, y_tile = y;
        column[threadIdx.x] = img[y * width + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++y; y < 3; ++y) {
            float column_next = img[y * width + x];
            for (int k = 0; k < 64; ++k)
                s += column[k] * (k + y_tile);
            ++y_tile;
            __syncthreads();
            column[threadIdx.x] = column_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            s += column[k] * (k + y_tile);
        __syncthreads();
        sum[x] = s;
    }
}
