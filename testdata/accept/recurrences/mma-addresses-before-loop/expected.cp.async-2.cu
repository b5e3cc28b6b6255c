// fp16 GEMM with mma.sync and ldmatrix, one warp: the addresses that ldmatrix
// takes are made once before the loop, as integers, by a helper and by a cast.
#include <cuda_fp16.h>
#include <stdint.h>
#include <cuda_pipeline.h>

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// pipelinify: launch mma_addresses
//   sizes K=0,16,32,48,112
//   target K=32768
//   grid 2, 2
//   block 32
//   A: in [2 * 16 * K]
//   B: in [2 * 8 * K]
//   C: out [2 * 16 * 2 * 8]
//   K: K
__global__ void mma_addresses(const half *__restrict__ A, const half *__restrict__ B,
                              float *__restrict__ C, int K)
{
    __shared__ __align__(16) half sA_stage[2][16 * 16];
    __shared__ __align__(16) half sB_stage[2][8 * 16];
    const int lane = threadIdx.x;
    const int row = lane / 2, col = lane % 2 * 8;
    const half *ga = A + (blockIdx.y * 16 + row) * K + col;
    const half *gb = B + (blockIdx.x * 8 + row % 8) * K + col;
    float c[4] = {0, 0, 0, 0};

    // pipelinify: cp.async, 2 stages, source dc10f9e3
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            auto &sA = sA_stage[load_stage];
            auto &sB = sB_stage[load_stage];
            __pipeline_memcpy_async((uint4 *)&sA[row * 16 + col], (const uint4 *)&ga[k_load], sizeof(uint4));
            if (row < 8)
                __pipeline_memcpy_async((uint4 *)&sB[row * 16 + col], (const uint4 *)&gb[k_load], sizeof(uint4));
            k_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        auto &sA = sA_stage[stage];
        auto &sB = sB_stage[stage];
        uint32_t base = shared_address(sA);
        uint32_t a_addr = base + (lane % 16 * 16 + lane / 16 * 8) * sizeof(half);
        const unsigned b_addr = (unsigned)__cvta_generic_to_shared(&sB[lane % 8 * 16 + (lane / 8 & 1) * 8]);
        uint32_t a[4], b[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(a_addr));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(b[0]), "=r"(b[1]) : "r"(b_addr));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    float *out = C + (blockIdx.y * 16 + lane / 4) * 16 + blockIdx.x * 8 + lane % 4 * 2;
    out[0] = c[0];
    out[1] = c[1];
    out[8 * 16] = c[2];
    out[8 * 16 + 1] = c[3];
}
