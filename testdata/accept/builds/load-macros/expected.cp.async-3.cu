// Distances to every centre of a table; macros around the loads hold the call
// of __ldg, an address operator, a cast and a sum.
#include <cuda_pipeline.h>

#define LOAD(x) __ldg(&(x))
#define LOAD_AT(p, i) __ldg((p) + (i))
#define LOAD_QUAD(p) (__ldg((const float4 *)(p)))
#define DIM 16
#define ROWS 32
// pipelinify: launch centre_distances
//   sizes n=0,32,64,96,128,160
//   target n=32768
//   grid 2
//   block 128
//   x: in [2 * 128 * 16]
//   centres: in [n * 16]
//   weights: in [n]
//   radii: in [n + 32]
//   out: out [256]
//   n: n
__global__ void centre_distances(const float *__restrict__ x,
                                 const float *__restrict__ centres,
                                 const float *__restrict__ weights,
                                 const float *__restrict__ radii,
                                 float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float4 c_stage[stages][ROWS][DIM / 4];
    __shared__ float w_stage[stages][ROWS], r_stage[stages][ROWS];
    const int t = threadIdx.x;
    const float *own = x + (blockIdx.x * 128 + t) * DIM;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source dd7fa261
    int row_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < n) {
            __pipeline_memcpy_async(&c_stage[load_stage][t / 4][t % 4],
                (const float4 *)(centres + (row_load + t / 4) * DIM +
                                 t % 4 * 4), sizeof(float4));
            if (t < ROWS) {
                __pipeline_memcpy_async(&w_stage[load_stage][t],
                                        &weights[row_load + t], sizeof(float));
                __pipeline_memcpy_async(&r_stage[load_stage][t],
                                        (radii + 32) + (row_load - 32 + t),
                                        sizeof(float));
            }
            row_load += ROWS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int row = 0; row < n; row += ROWS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < ROWS; ++k) {
            float d = -r_stage[stage][k];
            for (int q = 0; q < DIM / 4; ++q)
                d += own[q * 4] * c_stage[stage][k][q].x +
                     own[q * 4 + 1] * c_stage[stage][k][q].y +
                     own[q * 4 + 2] * c_stage[stage][k][q].z +
                     own[q * 4 + 3] * c_stage[stage][k][q].w;
            sum += w_stage[stage][k] * d;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 128 + t] = sum;
}
