// Marks for a profiler, which a build may give a meaning, and that are handed a name.
// pipelinify: launch row_sums
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     3
//   block    64
//   a:       in [n * 64 + 1] random
//   out:     out [192]
//   n:       n
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#ifndef MARK
#define MARK(name, at)
#endif

constexpr int T = 64;

__global__ void row_sums(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source fcb798ee
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][t], &a[i_load * T + t], sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        MARK("sum", i + 1);
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t] * j;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + t] = sum;
}
