// Tiled SGEMM with ragged edges: half of the launched threads load, sums stay in registers, and the bounds of the launch
// double.
#include <cuda_runtime.h>

#define TILE 16

// pipelinify: launch sgemm
//   sizes  m=16 n=16 k=0,1,16,17,64,80
//   sizes  m=33 n=20 k=50
//   target m=2048 n=2048 k=2048
//   grid   (n + 15) / 16, (m + 15) / 16
//   block  16, 16
//   a:     in  [m * k + 1]
//   b:     in  [k * n + 1]
//   c:     out [m * n]
//   m:     m
//   n:     n
//   k:     k
__global__ void __launch_bounds__(TILE *TILE) sgemm(const float *__restrict__ a, const float *__restrict__ b,
                                                    float *__restrict__ c, int m, int n, int k)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.f;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        as[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.f;
        bs[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

cudaError_t run(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream)
{
    dim3 threads(TILE, TILE), blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    sgemm<<<blocks, threads, 0, stream>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}
