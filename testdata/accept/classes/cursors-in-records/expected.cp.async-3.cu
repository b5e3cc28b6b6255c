// What leads from one tile to the next is kept together, in a record.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16

struct Panel {
    const float *at;
    int step;
};

struct Panels {
    Panel a, b;
};

// Panels move on by their own steps; the last tile may be ragged.
// pipelinify: launch sgemm
//   sizes    M=16,20 N=16,17 K=0,1,16,20,33,48,64,80,96
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void sgemm(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float as_stage[stages][TILE][TILE + 1], bs_stage[stages][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    Panels walk = {{A + row * K, TILE}, {B + ty * N + col, TILE * N}};
    float sum = 0.0f;

    // pipelinify: cp.async, 3 stages, source c264b726
    int left_load = K, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (left_load > 0) {
            __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &walk.a.at[tx], sizeof(float),
                                    (row < M && tx < left_load) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], walk.b.at, sizeof(float),
                                    (col < N && ty < left_load) ? 0 : sizeof(float));
            walk.a.at += walk.a.step;
            walk.b.at += walk.b.step;
            left_load -= TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int left = K; left > 0; left -= TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int depth = min(TILE, left);
        for (int k = 0; k < depth; ++k)
            sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] = sum;
}

// Steps on both sides of the load, and in the compute phase; where the walk ends is
// written out.
// pipelinify: launch window_sums
//   sizes    n=0,64,128,192,320 rows=1,3
//   target   n=65536 rows=256
//   grid     rows
//   block    64
//   x:       in  [rows * n + 64]
//   weights: in  [n + 64]
//   y:       out [rows * 64]
//   seen:    out [rows]
//   n:       n
__global__ void window_sums(const float *__restrict__ x, const float *__restrict__ weights,
                            float *__restrict__ y, int *__restrict__ seen, int n)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][64], weight_stage[stages][64];
    struct {
        const float *row, *weight;
        unsigned done;
        float scale;
    } at = {x + (size_t)blockIdx.x * n, weights, 0u, 1.0f};
    const int t = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: cp.async, 3 stages, source 854ed661
    auto at_load = at;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load.done < (unsigned)n) {
            auto &at = at_load;
            __pipeline_memcpy_async(&part_stage[load_stage][t], &at.row[t], sizeof(float));
            at.row += 64;
            __pipeline_memcpy_async(&weight_stage[load_stage][t], &at.weight[t], sizeof(float));
            at.weight += 64;
            at.done += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (at.done < (unsigned)n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        at.row += 64;
        at.weight += 64;
        for (int i = 0; i < 64; ++i)
            sum += part_stage[stage][i] * weight_stage[stage][i ^ t];
        sum += (float)at.done;
        at.done += 64;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + t] = sum * at.scale + (float)(at.weight - weights);
    if (t == 0)
        seen[blockIdx.x] = (int)at.done;
}
