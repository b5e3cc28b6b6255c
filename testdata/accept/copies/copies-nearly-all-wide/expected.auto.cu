// Rows of keys, 16 bytes at a time, and beside them one number each: nearly all that is
// copied is wide.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define ROWS 64
#define DIM 32

// pipelinify: launch scores
//   sizes    n=1,63,64,65,200
//   target   n=65536
//   grid     2
//   block    64
//   q:       in  [2 * 32] random
//   keys:    in  [n * 32] random
//   bias:    in  [n] random
//   out:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) scores(const float *__restrict__ q, const float *__restrict__ keys,
                                             const float *__restrict__ bias, float *__restrict__ out, int n)
{
    constexpr int stages = 5;
    __shared__ float4 rows_stage[stages][ROWS][DIM / 4 + 1];
    __shared__ float add_stage[stages][ROWS];
    const int t = threadIdx.x;
    const float own = q[blockIdx.x * DIM + t % DIM];
    float best = -1e30f, sum = 0.f;
    // pipelinify: cp.async, 5 stages, source cbed8084
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            for (int i = t; i < ROWS * DIM / 4; i += 64) {
                const int r = i / (DIM / 4), c = i % (DIM / 4);
                __pipeline_memcpy_async(&rows_stage[load_stage][r][c],
                                        &reinterpret_cast<const float4 *>(keys)[(first_load + r) * (DIM / 4) + c],
                                        sizeof(float4), (first_load + r < n) ? 0 : sizeof(float4));
            }
            if (first_load + t < n) {
                __pipeline_memcpy_async(&add_stage[load_stage][t], &bias[first_load + t], sizeof(float));
            } else {
                add_stage[load_stage][t] = -INFINITY;
            }
            first_load += ROWS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; first += ROWS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float s = add_stage[stage][t];
        for (int c = 0; c < DIM / 4; ++c)
            s += own * (rows_stage[stage][t][c].x + rows_stage[stage][t][c].w);
        const float more = fmaxf(best, s);
        sum = sum * __expf(best - more) + __expf(s - more);
        best = more;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = best + sum;
}
