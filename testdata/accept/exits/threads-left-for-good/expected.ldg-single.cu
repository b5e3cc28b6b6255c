// Threads without a column have left before the loop: their cells are filled by nobody, in any tile.
#include <cuda_runtime.h>

// pipelinify: launch columns
//   sizes  cols=1,20,63,64 depth=1,2,5
//   target cols=64 depth=8192
//   grid   1
//   block  64
//   cols:  cols
//   depth: depth
//   m:     in  [depth * 64] random
//   s:     inout [64] random
__global__ void columns(int cols, int depth, const float *__restrict__ m, float *__restrict__ s)
{
    __shared__ float row[64];
    const int c = threadIdx.x;
    if (c >= cols)
        return;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 94e0211d
    int d = 0;
    if (d < depth) {
        row[c] = m[d * 64 + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++d; d < depth; ++d) {
            float row_next = m[d * 64 + c];
            for (int k = 0; k < cols; ++k)
                sum += row[k] * (k + 1);
            __syncthreads();
            row[c] = row_next;
            __syncthreads();
        }
        for (int k = 0; k < cols; ++k)
            sum += row[k] * (k + 1);
    }

    s[c] = sum;
}
