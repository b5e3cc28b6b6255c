// Helpers that wait are all that the loops do, without braces: squared distances, and what they add up to.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define DIMS 16

__device__ __forceinline__ void add_squares(const float *x, const float *y, int dims, int d0,
                                            float (*xs)[DIMS + 1], float (*ys)[DIMS + 1], float &sum)
{
    const int i = threadIdx.y, j = threadIdx.x;
    xs[i][j] = d0 + j < dims ? x[(blockIdx.y * DIMS + i) * dims + d0 + j] : 0.0f;
    ys[i][j] = d0 + j < dims ? y[(blockIdx.x * DIMS + i) * dims + d0 + j] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DIMS; ++d) {
        const float diff = xs[i][d] - ys[j][d];
        sum += diff * diff;
    }
    __syncthreads();
}

// pipelinify: launch pairwise
//   sizes    dims=0,1,16,17,40 rows=16,48
//   target   dims=1024 rows=4096
//   grid     rows / 16, 1
//   block    16, 16
//   x:       in  [16 * dims] random
//   y:       in  [rows * dims] random
//   out:     out [16 * rows]
//   dims:    dims
//   rows:    rows
__global__ void __launch_bounds__(256)
pairwise(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int dims, int rows)
{
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][DIMS][DIMS + 1], ys_stage[stages][DIMS][DIMS + 1];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 86cdfc4e
    int d0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d0_load < dims) {
            const int i = threadIdx.y, j = threadIdx.x;
            __pipeline_memcpy_async(&xs_stage[load_stage][i][j], &x[(blockIdx.y * DIMS + i) * dims + d0_load + j],
                                    sizeof(float), (d0_load + j < dims) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&ys_stage[load_stage][i][j], &y[(blockIdx.x * DIMS + i) * dims + d0_load + j],
                                    sizeof(float), (d0_load + j < dims) ? 0 : sizeof(float));
            d0_load += DIMS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int d0 = 0; d0 < dims; d0 += DIMS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int i = threadIdx.y, j = threadIdx.x;
#pragma unroll
        for (int d = 0; d < DIMS; ++d) {
            const float diff = xs_stage[stage][i][d] - ys_stage[stage][j][d];
            sum += diff * diff;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[(blockIdx.y * DIMS + threadIdx.y) * rows + blockIdx.x * DIMS + threadIdx.x] = sum;
}

__device__ float inner(const float *key, float *keys, float query, int k)
{
    float dot = 0.0f;
    keys[threadIdx.x] = key[k * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        dot += keys[i] * query;
    __syncthreads();
    return dot;
}

// pipelinify: launch scores
//   sizes    keys=0,1,2,5
//   target   keys=8192
//   grid     1
//   block    64
//   key:     in  [keys * 64] random
//   query:   in  [64] random
//   out:     out [64]
//   keys:    keys
__global__ void __launch_bounds__(64)
scores(const float *__restrict__ key, const float *__restrict__ query, float *__restrict__ out, int keys)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][64];
    const float q = query[threadIdx.x];
    float best = 0.0f;
    // pipelinify: cp.async, 3 stages, source 73454486
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < keys) {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x], &key[k_load * 64 + threadIdx.x],
                                    sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < keys; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float dot = 0.0f;
        for (int i = 0; i < 64; ++i)
            dot += row_stage[stage][i] * q;
        best += (dot);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = best;
}
