// Threads without a column have left before the loop: their cells are filled by nobody, in any tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float row_stage[2][64];
    const int c = threadIdx.x;
    if (c >= cols)
        return;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source 94e0211d
    {
        int d = 0;
        if (d < depth) {
            // Prologue: load the first tile.
            {
                auto &row = row_stage[0];
                __pipeline_memcpy_async(&row[c], &m[d * 64 + c], sizeof(float));
            }
            ++d;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; d < depth; ++d) {
                {
                    auto &row = row_stage[stage ^ 1];
                    __pipeline_memcpy_async(&row[c], &m[d * 64 + c], sizeof(float));
                }
                __pipeline_commit();
                {
                    auto &row = row_stage[stage];
                    for (int k = 0; k < cols; ++k)
                        sum += row[k] * (k + 1);
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &row = row_stage[stage];
                for (int k = 0; k < cols; ++k)
                    sum += row[k] * (k + 1);
            }
        }
    }

    s[c] = sum;
}
