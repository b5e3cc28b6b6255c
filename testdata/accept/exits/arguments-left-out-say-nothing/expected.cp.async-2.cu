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
    {
        int i = 0;
        auto i_load = i;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < n) {
                auto &s = s_stage[load_stage];
                auto &i = i_load;
                __pipeline_memcpy_async(&s[t], &a[i * T + t], sizeof(float));
                ++i;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; i < n; ++i) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &s = s_stage[stage];
                MARK("sum", i + 1);
                for (int j = 0; j < T; ++j)
                    sum += s[j ^ t] * j;
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    out[blockIdx.x * T + t] = sum;
}
