// Persistent GEMM: a fixed number of blocks walks over all output tiles with a grid stride.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

constexpr int TILE = 16;

// pipelinify: launch persistent_gemm
//   sizes    M=40 N=50 K=0,1,16,17,32,48,64,80 blocks=1,3
//   sizes    M=16 N=16 K=33 blocks=2
//   target   M=4096 N=4096 K=4096 blocks=264
//   requires M > 0 && N > 0
//   grid     blocks
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void persistent_gemm(const float* __restrict__ A, const float* __restrict__ B,
                                float* __restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float As_stage[stages][TILE][TILE];
    __shared__ float Bs_stage[stages][TILE][TILE];

    const int tilesN = (N + TILE - 1) / TILE;
    const int tiles = ((M + TILE - 1) / TILE) * tilesN;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    {
        const int row = tile / tilesN * TILE + ty;
        const int col = tile % tilesN * TILE + tx;
        float acc = 0.0f;

        // pipelinify: barrier, 3 stages, source 37af4299
        {
            // One for each stage: its copies have landed, and all threads are there.
            #pragma nv_diagnostic push
            #pragma nv_diag_suppress static_var_with_dynamic_init
            __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
            #pragma nv_diagnostic pop
            if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
                for (int stage = 0; stage < stages; ++stage)
                    init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
            __syncthreads();
            int k0 = 0;
            auto k0_load = k0;
            // Starts to copy the next tile to a stage, if there is one.
            auto copy_tile = [&](int load_stage)
            {
                if (k0_load < K)
                {
                    auto &As = As_stage[load_stage];
                    auto &Bs = Bs_stage[load_stage];
                    auto &k0 = k0_load;
                    if (row < M && k0 + tx < K)
                    {
                        __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float));
                    }
                    else
                    {
                        As[ty][tx] = 0.0f;
                    }
                    if (k0 + ty < K && col < N)
                    {
                        __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col],
                                                sizeof(float));
                    }
                    else
                    {
                        Bs[ty][tx] = 0.0f;
                    }
                    __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
                    k0 += TILE;
                }
            };

            // Prologue: start copying the first stages - 1 tiles.
            for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
                copy_tile(load_stage);

            // Main loop: stages - 1 tiles are in flight while computing on one.
            int stage = 0;
            for (; k0 < K; k0 += TILE)
            {
                landed[stage].arrive_and_wait();
                copy_tile(stage == 0 ? stages - 1 : stage - 1);
                {
                    auto &As = As_stage[stage];
                    auto &Bs = Bs_stage[stage];
                    for (int k = 0; k < TILE; ++k)
                        acc += As[ty][k] * Bs[k][tx];
                }
                stage = stage == stages - 1 ? 0 : stage + 1;
            }
            __syncthreads();
            if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
                for (int stage = 0; stage < stages; ++stage)
                    landed[stage].~barrier();
        }

        if (row < M && col < N)
            C[row * N + col] = acc;
    }
}
