// Tiles that are a block of dynamic shared memory: every launch is in the file, and
// gives a number of bytes that can be added to.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda_pipeline.h>

#define ROW_BYTES TILE << 2
#define CHECK(call)                                                            \
    do {                                                                       \
        call;                                                                  \
        if (cudaGetLastError() != cudaSuccess)                                 \
            std::printf("failed: %s\n", #call);                                \
    } while (0)

constexpr int TILE = 64;

// One tile, whose number of bytes is not one of 128's multiples.
//
// pipelinify: launch weigh
//   sizes n=0,1,49,50,51,200,205
//   grid  3
//   block 50
//   smem  200
//   a:    in  [n + 1] random
//   out:  out [150]
//   n:    n
__global__ void weigh(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 2 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 2 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[2][64]>(tile);
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 767bd1d6
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            for (int i = 0; i < 50; ++i)
                sum += tile[i] * (i + blockIdx.x);
        };
        {
            auto &tile = tile_stage[0];
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 50; k < n; k += 50) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &tile = tile_stage[stage];
                tile[threadIdx.x] = tile_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 50 + threadIdx.x] = sum + threadIdx.x;
}

namespace deep {

// Two tiles, carved out of the block; launched with several sizes.
//
// pipelinify: launch deep::pairs
//   sizes n=0,1,63,64,65,192,200
//   grid  2
//   block 64
//   smem  512
//   a:    in  [n + 1] random
//   b:    in  [n + 1] random
//   out:  out [128]
//   n:    n
__global__ void pairs(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 512 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 4};
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source a571453c
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            float *as = tile;
            float *bs = tile + TILE;
            const int at = k_load + threadIdx.x;
            __pipeline_memcpy_async(&as[threadIdx.x], &a[at], sizeof(float),
                                    (at < n) ? 0 : sizeof(float));
            if (at < n) {
                __pipeline_memcpy_async(&bs[threadIdx.x], &b[at], sizeof(float));
            } else {
                bs[threadIdx.x] = 1.f;
            }
            k_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += TILE) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        float *as = tile;
        float *bs = tile + TILE;
        for (int i = 0; i < TILE; ++i)
            sum += as[i] * bs[(i + blockIdx.x) % TILE];
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * TILE + threadIdx.x] = sum;
}

}  // namespace deep

// Vectors, in a block that is declared to begin where it has to.
//
// pipelinify: launch by_vectors
//   sizes n=0,1,63,64,65,200
//   grid  2
//   block 64
//   smem  64 * 16
//   a:    in  [4 * n + 4] random
//   out:  out [128]
//   n:    n
__global__ void by_vectors(const float4 *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) float4 quads[];
    // 3 stages of 1024 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned quads_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(quads_given));
    if (quads_given != 3 * 1024 + 1)
        __trap();
    auto &quads_stage = reinterpret_cast<float4 (&)[3][64]>(quads);
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 7d970f8c
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &quads = quads_stage[load_stage];
            const int at = k_load + threadIdx.x;
            __pipeline_memcpy_async(&quads[threadIdx.x], &a[at], sizeof(float4),
                                    (at < n) ? 0 : sizeof(float4));
            k_load += blockDim.x;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 2; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 2 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(1);
        __syncthreads();
        copy_tile(stage == 0 ? 2 : stage - 1);
        auto &quads = quads_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += quads[i].x * quads[i].w + quads[i].y - quads[i].z * blockIdx.x;
        stage = stage == 2 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void run(const float *a, const float *b, float *out, int n)
{
    const size_t bytes = 2 * TILE * sizeof(float);
    const bool wide = true;
    std::printf("%zu bytes\n", bytes);
    weigh<<<3, 50, 50 * sizeof(float) + 313>>>(a, out, n);
    CHECK((deep::pairs<<<2, TILE, 4 * ((bytes + 127) / 128 * 128) + 1>>>(a, b, out, n)));
    if (n > 100)
        deep::pairs<<<4, TILE, 4 * (((wide ? bytes + 8 : bytes) + 127) / 128 * 128) + 1, nullptr>>>(a, b, out, n);
    by_vectors<<<2, TILE, (4 * (ROW_BYTES)) + 2 * 1024 + 1>>>((const float4 *)a, out, n / 4);
    by_vectors<<<2, TILE, (ROW_BYTES << 2) + 2 * 1024 + 1, nullptr>>>((const float4 *)a, out, n / 4);
}
