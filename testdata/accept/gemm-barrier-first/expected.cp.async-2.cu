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
        __shared__ int ta_stage[2][T][T + 1], tb_stage[2][T][T + 1];
        int lx = threadIdx.x, ly = threadIdx.y;
        int gx = blockIdx.x * T + lx, gy = blockIdx.y * T + ly;
        int acc = 0, base;

        // pipelinify: cp.async, 2 stages, source edee960a
        {
                base = 0;
                if (base < K) {
                        __syncthreads();
                        // Prologue: load the first tile.
                        {
                                auto &ta = ta_stage[0];
                                auto &tb = tb_stage[0];
                                if (gy < M && base + lx < K) {
                                        __pipeline_memcpy_async(&ta[ly][lx], &a[gy * K + base + lx], sizeof(int));
                                } else {
                                        ta[ly][lx] = 0;
                                }
                                if (base + ly < K && gx < N) {
                                        __pipeline_memcpy_async(&tb[ly][lx], &b[(base + ly) * N + gx], sizeof(int));
                                } else {
                                        tb[ly][lx] = 0;
                                }
                        }
                        base += T;
                        __pipeline_commit();
                        __pipeline_wait_prior(0);
                        __syncthreads();

                        // Main loop: copy the next tile while computing on this one.
                        int stage = 0;
                        for (; base < K; base += T) {
                                {
                                        auto &ta = ta_stage[stage ^ 1];
                                        auto &tb = tb_stage[stage ^ 1];
                                        if (gy < M && base + lx < K) {
                                                __pipeline_memcpy_async(&ta[ly][lx], &a[gy * K + base + lx], sizeof(int));
                                        } else {
                                                ta[ly][lx] = 0;
                                        }
                                        if (base + ly < K && gx < N) {
                                                __pipeline_memcpy_async(&tb[ly][lx], &b[(base + ly) * N + gx], sizeof(int));
                                        } else {
                                                tb[ly][lx] = 0;
                                        }
                                }
                                __pipeline_commit();
                                {
                                        auto &ta = ta_stage[stage];
                                        auto &tb = tb_stage[stage];
                                        for (int k = 0; k < T; k++)
                                                acc += ta[ly][k] * tb[k][lx];
                                }
                                stage ^= 1;
                                __pipeline_wait_prior(0);
                                __syncthreads();
                        }

                        // Epilogue: compute on the last tile.
                        {
                                auto &ta = ta_stage[stage];
                                auto &tb = tb_stage[stage];
                                for (int k = 0; k < T; k++)
                                        acc += ta[ly][k] * tb[k][lx];
                        }
                }
        }

        if (gy < M && gx < N)
                c[gy * N + gx] = acc;
}
