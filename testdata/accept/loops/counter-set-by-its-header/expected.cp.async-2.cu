// The header sets a counter from outside the loop once, not in each iteration: where the
// loads have no use for it, the condition still has, and it moves on with the loads.

#include <cuda_pipeline.h>

// pipelinify: launch walked
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [n * 64] random
//   out:  out [64]
//   n:    n
__global__ void walked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    const float *p = a;
    float sum = 0.f;
    int t;
    // pipelinify: cp.async, 2 stages, source 78a49838
    t = 0;
    int t_load = t;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][tx], &p[tx], sizeof(float));
            p += 64;
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    while (t < n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (j + t);
        ++t;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[tx] = sum + t;
}

// pipelinify: launch weighted
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [64] random
//   out:  out [64]
//   n:    n
__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    int t, w = n;
    // pipelinify: cp.async, 2 stages, source e7f58ea3
    t = 0;
    int w_load = w;
    int t_load = t;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][tx], &a[tx], sizeof(float));
            w_load += 2;
            ++t_load, w_load ^= 3;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    while (t < n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        w += 2;
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j + w;
        ++t, w ^= 3;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[tx] = sum + w + t;
}
