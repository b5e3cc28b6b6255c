// Tiled SGEMM with both tiles carved out of one dynamic shared memory block.
#include <cuda_runtime.h>

// pipelinify: launch gemmDynamic
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=18 N=40 K=33
//   target   M=4096 N=4096 K=4096
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   smem     2 * 16 * 16 * 4
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   tile:    16
__global__ void gemmDynamic(const float *A, const float *B, float *C, int M, int N, int K, int tile)
{
    extern __shared__ float smem[];
    // 2 stages of 2048 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned smem_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(smem_given));
    if (smem_given != 2 * 2048 + 1)
        __trap();
    auto &smem_stage = reinterpret_cast<float (&)[2][512]>(smem);

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float value = 0.f;

    // pipelinify: ldg, 2 stages, source 07b59291
    int k0 = 0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            auto &smem = smem_stage[stage];
            float *As = smem;
            float *Bs = smem + tile * tile;
            for (int k = 0; k < tile; ++k)
                value += As[ty * tile + k] * Bs[k * tile + tx];
        };
        {
            auto &smem = smem_stage[0];
            float *As = smem;
            float *Bs = smem + tile * tile;
            As[ty * tile + tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.f;
            Bs[ty * tile + tx] = (col < N && k0 + ty < K) ? B[(k0 + ty) * N + col] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += tile; k0 < K; k0 += tile) {
            float As_next = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.f;
            float Bs_next = (col < N && k0 + ty < K) ? B[(k0 + ty) * N + col] : 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &smem = smem_stage[stage];
                float *As = smem;
                float *Bs = smem + tile * tile;
                As[ty * tile + tx] = As_next;
                Bs[ty * tile + tx] = Bs_next;
            }
            __syncthreads();
        }
        compute_tile();
    }

    if (row < M && col < N)
        C[row * N + col] = value;
}

void launch_gemm_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int tile = 16;
    dim3 threads(tile, tile);
    dim3 blocks((N + tile - 1) / tile, (M + tile - 1) / tile);
    size_t bytes = 2 * tile * tile * sizeof(float);
    gemmDynamic<<<blocks, threads, bytes + 2048 + 1>>>(A, B, C, M, N, K, tile);
}
