// The blocks left of the diagonal one are taken off a panel. Each thread walks along its
// own row of L, from a pointer to the one where that row's last block begins.
#include <cuda_runtime.h>

// pipelinify: launch update_panel
//   sizes    n=16,32,48,80,112 cols=16,32
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
    __shared__ float l_stage[2][16][16], x_stage[2][16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *row = L + (n - 16 + ty) * n + tx;
    const float *const last = row + (n - 16);
    const float *block = X + ty * cols + blockIdx.x * 16 + tx;
    float *const y = Y + ty * cols + blockIdx.x * 16 + tx;
    float rest = *y;

    // pipelinify: ldg, 2 stages, source d4265a1b
    if (row < last) {
        int stage = 0;
        l_stage[0][ty][tx] = *row;
        x_stage[0][ty][tx] = *block;
        row += 16;
        block += 16 * cols;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (row < last) {
            float l_next = *row;
            float x_next = *block;
#pragma unroll
            for (int k = 0; k < 16; ++k)
                rest -= l_stage[stage][ty][k] * x_stage[stage][k][tx];
            stage ^= 1;
            l_stage[stage][ty][tx] = l_next;
            x_stage[stage][ty][tx] = x_next;
            row += 16;
            block += 16 * cols;
            __syncthreads();
        }
#pragma unroll
        for (int k = 0; k < 16; ++k)
            rest -= l_stage[stage][ty][k] * x_stage[stage][k][tx];
    }
    *y = rest;
}

// Backwards, by the number of the sample.
// pipelinify: launch reversed
//   sizes    n=0,32,64,96,160,192
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n]
//   out:     out [64]
//   n:       n
__global__ void reversed(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float part_stage[2][32];
    float sum = 0.0f;
    int at = blockIdx.x * n + n + threadIdx.x;
    const int stop = at - n;
    // pipelinify: ldg, 2 stages, source d3a93921
    if (stop < at) {
        int stage = 0;
        part_stage[0][threadIdx.x] = x[at - 32];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at -= 32; stop < at; at -= 32) {
            float part_next = x[at - 32];
            for (int i = 0; i < 32; ++i)
                sum = sum * 0.9375f + part_stage[stage][31 - i];
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum = sum * 0.9375f + part_stage[stage][31 - i];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
