// One statement moves what the loop asks for and what the loads alone go by: the side that asks may
// not move the other one twice.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch windows
//   sizes    n=0,1,3,8 hop=1,17
//   target   n=4096 hop=64
//   grid     1
//   block    64
//   a:       in  [n * hop + 64]
//   out:     out [64]
//   n:       n
//   hop:     hop
__global__ void windows(const float *__restrict__ a, float *__restrict__ out, int n, int hop)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][T];
    float sum = 0.f;
    int left = n, at = 0;
    // pipelinify: cp.async, 8 stages, source 8208e2ad
    int left_load = left, at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (left_load > 0) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &a[at_load + threadIdx.x], sizeof(float));
            --left_load, at_load += hop;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (left > 0) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s_stage[stage][(j + threadIdx.x) % T];
        --left, at += hop;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// pipelinify: launch windows_backwards
//   sizes    n=0,1,3,8 hop=1,17
//   target   n=4096 hop=64
//   grid     1
//   block    64
//   a:       in  [n * hop + 64]
//   out:     out [64]
//   n:       n
//   hop:     hop
__global__ void windows_backwards(const float *__restrict__ a, float *__restrict__ out, int n, int hop)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][T];
    float sum = 0.f;
    const float *from = a + n * hop + threadIdx.x;
    int done = 0;
    // pipelinify: cp.async, 8 stages, source e2fe7baa
    int done_load = done, stage = 0;
    auto from_load = from;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (done_load < n) {
            {
                from_load -= hop;
                done_load += 1;
            }
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], from_load, sizeof(float));
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (done < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        {
            from -= hop;
            done += 1;
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s_stage[stage][(j + threadIdx.x) % T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
