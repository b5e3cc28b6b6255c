// The blocks left of the diagonal one are taken off a panel. Each thread walks along its
// own row of L, from a pointer to the one where that row's last block begins,
// but for those that have nothing to do.
#include <cuda_runtime.h>

// pipelinify: launch update_panel
//   sizes    n=16,32,48,80 cols=16,32
//   target   n=4096 cols=1024
//   grid     cols / 16
//   block    16, 16
//   L:       in  [n * n]
//   X:       in  [n * cols]
//   Y:       inout [16 * cols]
//   n:       n
//   cols:    cols
__global__ void update_panel(const float *__restrict__ L, const float *__restrict__ X, float *__restrict__ Y,
                             int n, int cols)
{
    __shared__ float l[16][16], x[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *row = L + (n - 16 + ty) * n + tx;
    const float *const last = row + (n - 16);
    const float *block = X + ty * cols + blockIdx.x * 16 + tx;
    float *const y = Y + ty * cols + blockIdx.x * 16 + tx;
    float rest = *y;
    if (rest == 0.0f)
        row = last;

    while (row < last) {
        l[ty][tx] = *row;
        x[ty][tx] = *block;
        row += 16;
        block += 16 * cols;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            rest -= l[ty][k] * x[k][tx];
        __syncthreads();
    }
    *y = rest;
}
