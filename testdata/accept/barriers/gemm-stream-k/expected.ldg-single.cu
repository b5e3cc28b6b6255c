// Stream-K: each block takes an equal share of the tiles of K over all outputs, partial outputs are added atomically.
#include <cuda_runtime.h>
#define BM 16
#define BK 16
// pipelinify: launch streamk
//   sizes M=32 N=32 K=16,48,64,96 blocks=1,3,5
//   target M=1024 N=1024 K=1024 blocks=528
//   grid blocks
//   block 16, 16
//   A: in [M * K] range(-2, 2)
//   B: in [K * N] range(-2, 2)
//   C: inout [M * N] const(0)
//   M: M
//   N: N
//   K: K
__global__ void streamk(const int *__restrict__ A, const int *__restrict__ B, int *__restrict__ C, int M, int N, int K)
{
    __shared__ int As[BM][BK], Bs[BK][BM];
    const int kt = K / BK, tiles = (M / BM) * (N / BM), total = tiles * kt;
    int it = (long long)total * blockIdx.x / gridDim.x;
    const int end = (long long)total * (blockIdx.x + 1) / gridDim.x;
    while (it < end) {
        const int tile = it / kt, kbeg = it % kt, kend = min(kt, kbeg + end - it);
        const int row = (tile / (N / BM)) * BM + threadIdx.y, col = (tile % (N / BM)) * BM + threadIdx.x;
        int acc = 0;
        // pipelinify: ldg-single, 1 stage, source 1f160c07
        int kk = kbeg;
        if (kk < kend) {
            As[threadIdx.y][threadIdx.x] = A[row * K + kk * BK + threadIdx.x];
            Bs[threadIdx.y][threadIdx.x] = B[(kk * BK + threadIdx.y) * N + col];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++kk; kk < kend; ++kk) {
                int As_next = A[row * K + kk * BK + threadIdx.x];
                int Bs_next = B[(kk * BK + threadIdx.y) * N + col];
                for (int i = 0; i < BK; ++i) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
                __syncthreads();
                As[threadIdx.y][threadIdx.x] = As_next;
                Bs[threadIdx.y][threadIdx.x] = Bs_next;
                __syncthreads();
            }
            for (int i = 0; i < BK; ++i) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
            __syncthreads();
        }
        if (kbeg == 0 && kend == kt) C[row * N + col] = acc;
        else atomicAdd(&C[row * N + col], acc);
        it += kend - kbeg;
    }
}
