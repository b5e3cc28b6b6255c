// Stream-K: each block takes an equal share of the tiles of K over all outputs, partial outputs are added atomically.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
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
    __shared__ int As_stage[2][BM][BK], Bs_stage[2][BK][BM];
    const int kt = K / BK, tiles = (M / BM) * (N / BM), total = tiles * kt;
    int it = (long long)total * blockIdx.x / gridDim.x;
    const int end = (long long)total * (blockIdx.x + 1) / gridDim.x;
    while (it < end) {
        const int tile = it / kt, kbeg = it % kt, kend = min(kt, kbeg + end - it);
        const int row = (tile / (N / BM)) * BM + threadIdx.y, col = (tile % (N / BM)) * BM + threadIdx.x;
        int acc = 0;
        // pipelinify: cp.async, 2 stages, source 1f160c07
        int kk_load = kbeg, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (kk_load < kend) {
                __pipeline_memcpy_async(&As_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &A[row * K + kk_load * BK + threadIdx.x], sizeof(int));
                __pipeline_memcpy_async(&Bs_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &B[(kk_load * BK + threadIdx.y) * N + col], sizeof(int));
                ++kk_load;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int kk = kbeg; kk < kend; ++kk) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int i = 0; i < BK; ++i) acc += As_stage[stage][threadIdx.y][i] * Bs_stage[stage][i][threadIdx.x];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        if (kbeg == 0 && kend == kt) C[row * N + col] = acc;
        else atomicAdd(&C[row * N + col], acc);
        it += kend - kbeg;
    }
}
