// Lambdas with copies: one fills what it is handed, one has a pointer of its own that is made where
// the lambda is, one is made anew for each tile, of where that begins.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch weighted_sums
//   sizes    n=0,1,63,64,65,200
//   target   n=65536
//   grid     3
//   block    64
//   x:       in  [3 * n + 64]
//   w:       in  [n + 64]
//   y:       out [3 * 64]
//   n:       n
__global__ void __launch_bounds__(64)
    weighted_sums(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][T], ws_stage[stages][T];
    const int t = threadIdx.x;
    const auto fill_async = [=](float *tile, const float *from, int at) {
        __pipeline_memcpy_async(&tile[t], &from[at + t], sizeof(float), (at + t < n) ? 0 : sizeof(float));
    };
    auto scaled = [of = w + blockIdx.x, scale = 0.5f](int i) { return scale * of[i]; };
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 72457cdd
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            fill_async(xs_stage[load_stage], x + blockIdx.x * n, i_load);
            fill_async(ws_stage[load_stage], w, i_load);
            i_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto here = [first = i * 2, width = T](int j) { return (first + j) % width; };
        for (int j = 0; j < T; ++j)
            sum = sum * 0.5f + xs_stage[stage][j] * ws_stage[stage][here(j + t)] + scaled(j % 4);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    y[blockIdx.x * T + t] = sum;
}
