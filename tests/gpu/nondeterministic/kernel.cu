// Adds floats in whatever order the blocks come: no two runs need to agree.
#include <cuda_runtime.h>

// pipelinify: launch dot_rows
//   sizes    N=64,4096 K=64
//   target   N=65536 K=256
//   grid     N / 64
//   block    64
//   A:       in    [N * K]  range(0.001, 1000)
//   x:       in    [K]      range(0.001, 1000)
//   sum:     inout [1]      const(0)
//   N:       N
//   K:       K
__global__ void dot_rows(const float *A, const float *x, float *sum, int N, int K)
{
    __shared__ float tile[64];
    int row = blockIdx.x * 64 + threadIdx.x;
    float mine = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 64) {
        tile[threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            mine += A[row * K + k0 + k] * tile[k];
        __syncthreads();
    }
    atomicAdd(sum, mine);
}
