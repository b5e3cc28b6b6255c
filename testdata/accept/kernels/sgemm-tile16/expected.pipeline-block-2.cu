// Single precision C = A * B with 16x16 tiles, one output element a thread.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define TILE 16

// pipelinify: launch sgemm_tile16
//   sizes    M=16 N=16 K=0,16,32,48,64,80
//   sizes    M=32,48 N=32 K=16,48,112
//   target   M=4096 N=4096 K=4096
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in    [M * K]  random
//   B:       in    [K * N]  random
//   C:       out   [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
//   work     bytes 4 * (M * K + K * N + M * N)
__global__ void sgemm_tile16(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As_stage[2][TILE][TILE];
    __shared__ float Bs_stage[2][TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // pipelinify: pipeline-block, 2 stages, source ecfa9947
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        pipe.producer_acquire();
        if (t_load < K / TILE) {
            cuda::memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + t_load * TILE + tx],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            cuda::memcpy_async(&Bs_stage[load_stage][ty][tx], &B[(t_load * TILE + ty) * N + col],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            ++t_load;
        }
        pipe.producer_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < K / TILE; ++t) {
        copy_tile(stage ^ 1);
        pipe.consumer_wait();

        for (int k = 0; k < TILE; ++k)
            sum += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
        pipe.consumer_release();
        stage ^= 1;
    }
    pipe.consumer_wait();
    pipe.consumer_release();
    C[row * N + col] = sum;
}
