// A default value, and what is loaded where there is something, by way of a local: in all
// spellings it is a copy or zeros.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 64

// Both by one branch, declared with one default.
// pipelinify: launch declared
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   b:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) declared(const float4 *__restrict__ a, const float4 *__restrict__ b,
                                               float *__restrict__ sum, int n)
{
    constexpr int stages = 8;
    __shared__ float4 as_stage[stages][TILE], bs_stage[stages][TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: cp.async, 8 stages, source 6124bb50
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            // beyond the end is nothing
            __pipeline_memcpy_async(&as_stage[load_stage][t], &a[k_load + t], sizeof(float4),
                                    (k_load + t < n) ? 0 : sizeof(float4));
            __pipeline_memcpy_async(&bs_stage[load_stage][t], &b[k_load + t], sizeof(float4),
                                    (k_load + t < n) ? 0 : sizeof(float4));
            k_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < TILE; ++i)
            total = total * 0.5f + as_stage[stage][i].x * bs_stage[stage][i ^ t].w + as_stage[stage][i ^ t].y;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sum[blockIdx.x * 64 + t] = total;
}

// Assigned, by branches with an else, and from outside the loop.
// pipelinify: launch assigned
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   b:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) assigned(const float4 *__restrict__ a, const float4 *__restrict__ b,
                                               float *__restrict__ sum, int n)
{
    constexpr int stages = 8;
    __shared__ float4 as_stage[stages][TILE], bs_stage[stages][TILE];
    __shared__ int4 cs_stage[stages][TILE];
    const float4 nothing = make_float4(0.f, 0.f, 0.f, 0.f);
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: cp.async, 8 stages, source ce6ff400
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &k = k_load;
            if (k + t < n) {
                __pipeline_memcpy_async(&as_stage[load_stage][t], &a[k + t], sizeof(float4));
            } else {
                as_stage[load_stage][t] = nothing;
            }

            if (k + t >= n) {
                bs_stage[load_stage][t] = nothing;
            } else {
                __pipeline_memcpy_async(&bs_stage[load_stage][t], &b[k + t], sizeof(float4));
            }
            if ((k + t < n) && (t % 3)) {
                __pipeline_memcpy_async(&cs_stage[load_stage][t], reinterpret_cast<const int4 *>(&b[k + t]),
                                        sizeof(int4));
            } else {
                cs_stage[load_stage][t] = int4{};
            }
            k += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < TILE; ++i)
            total = total * 0.5f + as_stage[stage][i].x * bs_stage[stage][i ^ t].w + (cs_stage[stage][i].y & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sum[blockIdx.x * 64 + t] = total;
}

// Elements of an array; rows of a matrix.
// pipelinify: launch in_array
//   sizes    rows=0,1,2,5 cols=1,16,17
//   sizes    rows=9 cols=33
//   target   rows=20000 cols=16
//   block    16, 16
//   m:       in  [rows * cols + 1] random
//   sum:     out [256]
//   rows:    rows
//   cols:    cols
__global__ void __launch_bounds__(256) in_array(const float4 *__restrict__ m, float *__restrict__ sum, int rows, int cols)
{
    constexpr int stages = 6;
    __shared__ float4 part_stage[stages][32][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float total = 0.f;
    // pipelinify: cp.async, 6 stages, source 9844ae77
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            __pipeline_memcpy_async(&part_stage[load_stage][ty][tx], &m[(r_load + ty) * cols + tx], sizeof(float4),
                                    (r_load + ty < rows && tx < cols) ? 0 : sizeof(float4));
            __pipeline_memcpy_async(&part_stage[load_stage][ty + 16][tx], &m[(r_load + ty + 16) * cols + tx],
                                    sizeof(float4), (r_load + ty + 16 < rows && tx < cols) ? 0 : sizeof(float4));
            r_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; r += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            total = total * 0.5f + part_stage[stage][i][tx].x * part_stage[stage][31 - i][ty].z;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sum[ty * 16 + tx] = total;
}

// Fetched by one loop, stored by the next.
// pipelinify: launch in_rounds
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) in_rounds(const float4 *__restrict__ a, float *__restrict__ sum, int n)
{
    constexpr int stages = 8;
    __shared__ float4 as_stage[stages][2 * TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: cp.async, 8 stages, source 4c6c0d58
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int at = t + j * TILE;
                __pipeline_memcpy_async(&as_stage[load_stage][at], &a[k_load + at], sizeof(float4),
                                        (k_load + at < n) ? 0 : sizeof(float4));
            }
            k_load += 2 * TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 2 * TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 2 * TILE; ++i)
            total = total * 0.5f + as_stage[stage][i].x * as_stage[stage][i ^ t].w;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sum[blockIdx.x * 64 + t] = total;
}
