// Lambdas that call lambdas, nine levels deep; the innermost adds to the thread's own sums.
// pipelinify: launch moments
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     3
//   block    64
//   a:       in [n * 64 + 1] random
//   out:     out [192]
//   n:       n
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int T = 64;

__global__ void moments(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    float sums[2] = {};
    auto add0 = [&](int i, float v) { sums[i] += v; };
    auto add1 = [&](int i, float v) { add0(i, v); };
    auto add2 = [&](int i, float v) { add1(i, v); };
    auto add3 = [&](int i, float v) { add2(i, v); };
    auto add4 = [&](int i, float v) { add3(i, v); };
    auto add5 = [&](int i, float v) { add4(i, v); };
    auto add6 = [&](int i, float v) { add5(i, v); };
    auto add7 = [&](int i, float v) { add6(i, v); };
    auto add8 = [&](int i, float v) { add7(i, v); };
    // pipelinify: cp.async, 2 stages, source dd7310f8
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
        for (int j = 0; j < T; ++j) {
            add8(0, s_stage[stage][j ^ t]);
            add8(1, s_stage[stage][j ^ t] * s_stage[stage][j]);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + t] = sums[0] - sums[1];
}
