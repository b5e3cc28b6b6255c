// Where the next tile lies is read from memory behind this one: rows of any length, one behind
// the other, and rows that are linked.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch ragged
//   sizes    rows=0,1,2,5,9
//   target   rows=4096
//   grid     2
//   block    64
//   a:       in  [rows * 70 + 64]
//   length:  in  [rows + 1] below(70)
//   out:     out [2 * 64]
//   rows:    rows
__global__ void ragged(const float *__restrict__ a, const int *__restrict__ length,
                       float *__restrict__ out, int rows)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    int at = 0;
    // pipelinify: cp.async, 2 stages, source 8e0d5166
    int row_load = 0, at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < rows) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &a[at_load + threadIdx.x],
                                    sizeof(float));
            at_load += length[row_load];
            row_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int row = 0; row < rows; row++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j)
            sum = 0.75f * sum + s_stage[stage][(j + threadIdx.x) % T] * (at % 5);
        at += length[row];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + threadIdx.x] = sum + at;
}

// pipelinify: launch linked
//   sizes    steps=0,1,2,6 m=1,7
//   target   steps=4096 m=4096
//   grid     2
//   block    64
//   a:       in  [m * 64]
//   next:    in  [m] below(m)
//   out:     out [2 * 64]
//   steps:   steps
__global__ void linked(const float *__restrict__ a, const int *__restrict__ next,
                       float *__restrict__ out, int steps)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 8e952442
    int i = 0, node = 0, i_load = i, node_load = node, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < steps) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &a[node_load * T + threadIdx.x], sizeof(float));
            ++i_load, node_load = next[node_load];
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (i < steps) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s_stage[stage][j ^ (threadIdx.x & 3)];
        ++i, node = next[node];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + threadIdx.x] = sum;
}

// The links are made by the block itself, ahead of the loop.
// pipelinify: launch made_links
//   sizes    m=1,2,5,40
//   target   m=4096
//   grid     1
//   block    64
//   a:       in  [m * 64]
//   next:    inout [64] random
//   out:     out [64]
//   m:       m
__global__ void made_links(const float *__restrict__ a, int *next, float *__restrict__ out, int m)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    next[threadIdx.x] = threadIdx.x > 0 && threadIdx.x < m ? threadIdx.x - 1 : -1;
    __syncthreads();
    int node = m - 1;
    // pipelinify: cp.async, 2 stages, source 221c822f
    int node_load = node, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (node_load >= 0) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &a[node_load * T + threadIdx.x], sizeof(float));
            node_load = next[node_load];
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (node >= 0) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s_stage[stage][j ^ (threadIdx.x & 3)] * (node + 1);
        node = next[node];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// The flag that the condition asks is set behind the loads, from memory.
// pipelinify: launch drain
//   sizes    n=0,1,2,5
//   target   n=4096
//   grid     1
//   block    64
//   queue:   in  [n * 64 + 1]
//   length:  in  [1] below(n + 1)
//   out:     out [64]
__global__ void drain(const float *__restrict__ queue, const int *__restrict__ length,
                      float *__restrict__ out)
{
    __shared__ float batch_stage[2][64];
    float sum = 0.0f;
    int k = 0;
    bool more = length[0] > 0;
    // pipelinify: cp.async, 2 stages, source d909c0cf
    int k_load = k, stage = 0;
    auto more_load = more;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more_load) {
            __pipeline_memcpy_async(&batch_stage[load_stage][threadIdx.x],
                                    &queue[k_load * 64 + threadIdx.x], sizeof(float));
            ++k_load;
            more_load = k_load < length[0];
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (more) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            sum += batch_stage[stage][j] * (j ^ threadIdx.x);
        ++k;
        more = k < length[0];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
