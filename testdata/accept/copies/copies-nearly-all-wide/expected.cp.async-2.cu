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
    __shared__ float4 rows_stage[2][ROWS][DIM / 4 + 1];
    __shared__ float add_stage[2][ROWS];
    const int t = threadIdx.x;
    const float own = q[blockIdx.x * DIM + t % DIM];
    float best = -1e30f, sum = 0.f;
    // pipelinify: cp.async, 2 stages, source cbed8084
    {
        int first = 0;
        auto first_load = first;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (first_load < n) {
                auto &rows = rows_stage[load_stage];
                auto &add = add_stage[load_stage];
                auto &first = first_load;
                for (int i = t; i < ROWS * DIM / 4; i += 64) {
                    const int r = i / (DIM / 4), c = i % (DIM / 4);
                    __pipeline_memcpy_async(&rows[r][c],
                                            &reinterpret_cast<const float4 *>(keys)[(first + r) * (DIM / 4) + c],
                                            sizeof(float4), (first + r < n) ? 0 : sizeof(float4));
                }
                if (first + t < n) {
                    __pipeline_memcpy_async(&add[t], &bias[first + t], sizeof(float));
                } else {
                    add[t] = -INFINITY;
                }
                first += ROWS;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; first < n; first += ROWS) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &rows = rows_stage[stage];
                auto &add = add_stage[stage];
                float s = add[t];
                for (int c = 0; c < DIM / 4; ++c)
                    s += own * (rows[t][c].x + rows[t][c].w);
                const float more = fmaxf(best, s);
                sum = sum * __expf(best - more) + __expf(s - more);
                best = more;
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    out[blockIdx.x * 64 + t] = best + sum;
}
