// Rows weighted by a table that all but the last of them read; behind the loop it is where the block exchanges its
// sums. No barrier ends the body: the one ahead of the last row's load orders the rows before it.
#include <cuda_runtime.h>

constexpr int WIDTH = 64;

// pipelinify: launch weighted
//   sizes    rows=0,1,2,3,5,8
//   grid     2
//   block    64
//   x:       in [2 * rows * 64 + 1] random
//   weights: in [64] random
//   out:     out [128]
//   rows:    rows
__global__ void weighted(const float *__restrict__ x, const float *__restrict__ weights, float *__restrict__ out,
                         int rows)
{
    __shared__ float row[WIDTH];
    __shared__ float table[WIDTH];
    const int t = threadIdx.x;
    const float *from = x + (size_t)blockIdx.x * rows * WIDTH;
    float sum = 0.f;
    table[t] = weights[t];
    for (int r = 0; r < rows; ++r) {
        __syncthreads();
        row[t] = from[r * WIDTH + t];
        __syncthreads();
        if (r + 1 < rows) {
            for (int i = 0; i < WIDTH; ++i)
                sum += row[i] * table[(i + t) % WIDTH];
        } else {
            for (int i = 0; i < WIDTH; ++i)
                sum += row[i];
        }
    }
    table[t] = sum;
    __syncthreads();
    out[blockIdx.x * WIDTH + t] = sum + table[WIDTH - 1 - t];
}

void run(const float *x, const float *weights, float *out, int rows)
{
    weighted<<<2, WIDTH>>>(x, weights, out, rows);
}
