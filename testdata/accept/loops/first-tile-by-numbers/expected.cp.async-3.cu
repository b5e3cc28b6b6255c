#include <cuda_pipeline.h>

// How many tiles there are is said by numbers of the file: nothing asks for the first. Where a build
// may say another number, or the launch does, it is asked for.
constexpr int DEPTH = 96;
constexpr int TK = 32;
#define ROUNDS 5
#ifndef STEPS
#define STEPS 3
#endif

// pipelinify: launch by_constants
//   sizes n=32,64
//   grid  n / 32
//   block 32, 4
//   a:   in  [n * 96] range(-1, 1)
//   b:   in  [96 * 32] range(-1, 1)
//   out: out [n * 4]
__global__ void by_constants(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ float as_stage[stages][TK], bs_stage[stages][TK][TK];
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 8d510ca6
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < DEPTH) {
            if (y == 0)
                __pipeline_memcpy_async(&as_stage[load_stage][x], &a[blockIdx.x * DEPTH + k0_load + x], sizeof(float));
            for (int r = y; r < TK; r += 4)
                __pipeline_memcpy_async(&bs_stage[load_stage][r][x], &b[(k0_load + r) * 32 + x], sizeof(float));
            k0_load += TK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < DEPTH; k0 += TK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < TK; ++k)
            sum += as_stage[stage][k] * bs_stage[stage][k][(x + y) % TK];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[(blockIdx.x * 32 + x) * 4 + y] = sum;
}

// pipelinify: launch by_a_macro
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 5 * 64]
//   out: out [n * 64]
__global__ void by_a_macro(const int *__restrict__ a, int *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ int row_stage[stages][64];
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source 90b971d1
    unsigned i_load = ROUNDS;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load >= 1) {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x],
                                    &a[(blockIdx.x * 5 + i_load - 1) * 64 + threadIdx.x], sizeof(int));
            i_load--;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned i = ROUNDS; i >= 1; i--) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row_stage[stage][(k + threadIdx.x) % 64];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch by_a_default
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 3 * 64]
//   out: out [n * 64]
__global__ void by_a_default(const int *__restrict__ a, int *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ int row_stage[stages][64];
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source 25007301
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < STEPS) {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x],
                                    &a[(blockIdx.x * 3 + i_load) * 64 + threadIdx.x], sizeof(int));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < STEPS; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row_stage[stage][(k + threadIdx.x) % 64];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

#ifdef FEW
constexpr int TILES = 0;
#else
constexpr int TILES = 4;
#endif

// pipelinify: launch by_a_build
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 4 * 64]
//   out: out [n * 64]
__global__ void by_a_build(const int *__restrict__ a, int *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ int row_stage[stages][64];
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source b6235bd6
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < TILES) {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x],
                                    &a[(blockIdx.x * 4 + i_load) * 64 + threadIdx.x], sizeof(int));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < TILES; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row_stage[stage][(k + threadIdx.x) % 64];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
