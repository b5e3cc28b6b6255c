// Tiled product with the barrier at the head of the loop instead of its tail.

#include <cuda_pipeline.h>

#define T 16

// pipelinify: launch mm_sync_first
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=5 N=35 K=33
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   a:       in  [M * K]
//   b:       in  [K * N]
//   c:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void mm_sync_first(const int *a, const int *b, int *c, int M, int N, int K)
{
        constexpr int stages = 3;
        __shared__ int ta_stage[stages][T][T + 1], tb_stage[stages][T][T + 1];
        int lx = threadIdx.x, ly = threadIdx.y;
        int gx = blockIdx.x * T + lx, gy = blockIdx.y * T + ly;
        int acc = 0, base;

        // pipelinify: cp.async, 3 stages, source edee960a
        base = 0;
        int base_load = base;
        if (base_load < K) {
                __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
                if (base_load < K) {
                        __pipeline_memcpy_async(&ta_stage[load_stage][ly][lx],
                                                &a[gy * K + base_load + lx], sizeof(int),
                                                (gy < M && base_load + lx < K) ? 0 : sizeof(int));
                        __pipeline_memcpy_async(&tb_stage[load_stage][ly][lx],
                                                &b[(base_load + ly) * N + gx], sizeof(int),
                                                (base_load + ly < K && gx < N) ? 0 : sizeof(int));
                        base_load += T;
                }
                __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
                copy_tile(load_stage);
        int stage = 0;
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (; base < K; base += T) {
                __pipeline_wait_prior(stages - 2);
                __syncthreads();
                copy_tile(stage == 0 ? stages - 1 : stage - 1);

                for (int k = 0; k < T; k++)
                        acc += ta_stage[stage][ly][k] * tb_stage[stage][k][lx];
                stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);

        if (gy < M && gx < N)
                c[gy * N + gx] = acc;
}
