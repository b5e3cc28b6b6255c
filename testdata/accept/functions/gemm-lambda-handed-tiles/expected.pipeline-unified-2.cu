#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define BT 16

// One lambda fills both tiles: it is handed the tile and the corner to load.
//
// pipelinify: launch gemm_filled
//   sizes M=16,19 N=16,21 K=0,1,16,33,64,130
//   target M=1024 N=1024 K=1024
//   grid  (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A: in  [M * K + 1]
//   B: in  [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_filled(const float *__restrict__ A, const float *__restrict__ B,
                            float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As_stage[2][BT * BT];
    __shared__ float Bs_stage[2][BT * BT];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * BT, col0 = blockIdx.x * BT;

    auto fill_async = [&](float *tile, const float *src, int r0, int c0, int rows, int cols,
                      cuda::pipeline<cuda::thread_scope_block> &pipe) {
        const int r = r0 + ty, c = c0 + tx;
        if (r < rows && c < cols) {
            cuda::memcpy_async(&tile[ty * BT + tx], &src[r * cols + c],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
        } else {
            tile[ty * BT + tx] = 0.f;
        }
    };

    float acc = 0.f;
    // pipelinify: pipeline-unified, 2 stages, source b95ee4e1
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int k0_load = 0, stage = 0;
    int load_stage = 0, begun = 0;
    for (int k0 = 0; k0 < K; k0 += BT) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (k0_load < K) {
                fill_async(As_stage[load_stage], A, row0, k0_load, M, K, pipe);
                fill_async(Bs_stage[load_stage], B, k0_load, col0, K, N, pipe);
                k0_load += BT;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        pipe.consumer_wait();
        for (int k = 0; k < BT; ++k)
            acc += As_stage[stage][ty * BT + k] * Bs_stage[stage][k * BT + tx];
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun) {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    if (row0 + ty < M && col0 + tx < N)
        C[(row0 + ty) * N + col0 + tx] = acc;
}
