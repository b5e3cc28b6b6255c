// Products with rows of which many blocks are empty. An empty block is stepped over where it is
// found: by the steps that end the body, or behind the barrier that begins it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BLOCK 64

// pipelinify: launch stepped_product
//   sizes    blocks=0,1,2,3,5,8,13
//   target   blocks=4096
//   grid     2
//   block    64
//   values:  in  [2 * blocks * 64]
//   filled:  in  [2 * blocks] below(2)
//   x:       in  [blocks * 64]
//   out:     out [128]
//   ends:    out [2]
//   blocks:  blocks
__global__ void stepped_product(const float *__restrict__ values, const int *__restrict__ filled,
                                const float *__restrict__ x, float *__restrict__ out,
                                int *__restrict__ ends, int blocks)
{
    __shared__ float part[BLOCK];
    const float *row = values + (size_t)blockIdx.x * blocks * BLOCK;
    const float *end = row + (size_t)blocks * BLOCK;
    const int *fill = filled + blockIdx.x * blocks;
    float sum = 0.0f;
    int b = 0;
    while (row < end) {
        // nothing of an empty block is read
        if (fill[b] == 0) {
            row += BLOCK;
            ++b;
            continue;
        }
        part[threadIdx.x] = row[threadIdx.x] * x[b * BLOCK + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            sum += part[(j + threadIdx.x) % BLOCK] * (j + b);
        __syncthreads();
        row += BLOCK;
        ++b;
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        ends[blockIdx.x] = b;
}

// pipelinify: launch listed_product
//   sizes    blocks=0,1,2,3,5,8,13
//   target   blocks=4096
//   grid     2
//   block    64
//   values:  in  [blocks * 64]
//   bounds:  in  [64] range(-1, 1)
//   out:     out [128]
//   blocks:  blocks
//   least:   0.25
__global__ void listed_product(const float *__restrict__ values, const float *__restrict__ bounds,
                               float *__restrict__ out, int blocks, float least)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][BLOCK];
    __shared__ float bound[BLOCK];
    __shared__ float last[BLOCK];
    bound[threadIdx.x] = bounds[(threadIdx.x + blockIdx.x) % BLOCK];
    last[threadIdx.x] = 0.0f;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source a2e31bc2
    int b = 0, b_load = b, stage = 0;
    bool more = true;
    __syncthreads();
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage) {
        auto &b = b_load;
        if (more) {
            more = false;
            for (; b < blocks; ++b) {
                const float most = bound[(b * 7 + 3) % BLOCK];
                if (most < least)
                    continue;
                more = true;
                break;
            }
        }
        if (more) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &values[b * BLOCK + threadIdx.x], sizeof(float));
            ++b;
        }
        __pipeline_commit();
    }
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; b < blocks; ++b) {
        const float most = bound[(b * 7 + 3) % BLOCK];
        if (most < least)
            continue;
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        {
            auto &b = b_load;
            if (more) {
                more = false;
                for (; b < blocks; ++b) {
                    const float most = bound[(b * 7 + 3) % BLOCK];
                    if (most < least)
                        continue;
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage == 0 ? stages - 1 : stage - 1;
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                        &values[b * BLOCK + threadIdx.x], sizeof(float));
                ++b;
            }
        }
        __pipeline_commit();
        for (int j = 0; j < BLOCK; ++j)
            sum += part_stage[stage][(j + threadIdx.x) % BLOCK] * (j + b);
        last[threadIdx.x] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum + last[(threadIdx.x + 9) % BLOCK];
}

// pipelinify: launch limited_sum
//   sizes    n=0,64,128,192,320,576
//   grid     2
//   block    64
//   x:       in  [n + 64]
//   limits:  in  [2] const(448)
//   most:    n
//   out:     out [128]
__global__ void limited_sum(const float *__restrict__ x, const int *__restrict__ limits, int most,
                            float *__restrict__ out)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][BLOCK];
    __shared__ int limit;
    float sum = 0.0f;
    int k = 0;
    if (threadIdx.x == 0)
        limit = min(limits[blockIdx.x], most);
    // pipelinify: cp.async, 3 stages, source 4d1568e2
    int k_load = k, stage = 0;
    __syncthreads();
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < limit) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x],
                                    sizeof(float));
            k_load += BLOCK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (k < limit) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < BLOCK; ++j)
            sum += part_stage[stage][j] * (j ^ threadIdx.x);
        k += BLOCK;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// pipelinify: launch two_ways_out
//   sizes    n=0,64,128,192,320 most=0,64,200,400
//   target   n=131072 most=131072
//   grid     1
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   n:       n
//   most:    most
__global__ void two_ways_out(const float *__restrict__ x, float *__restrict__ out, int n, int most)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][BLOCK];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 6db59e19
    int k_load = 0, stage = 0;
    __syncthreads();
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n && k_load < most) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x],
                                    sizeof(float));
            k_load += BLOCK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n && k < most; k += BLOCK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < BLOCK; ++j)
            sum += part_stage[stage][j] * (j ^ threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = sum;
}
