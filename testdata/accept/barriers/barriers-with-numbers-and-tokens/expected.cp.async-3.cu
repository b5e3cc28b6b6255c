// Barriers with a number in a file that speaks of arriving, and in which another kernel
// does: the sums of a gauge's windows, which a second kernel of two roles scales.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch windows
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    96
//   gauge:   in  [tiles*96 + 1]
//   sums:    out [3*96]
//   tiles:   tiles

// When samples arrive late, their window is summed with the next one.
__global__ void __launch_bounds__(96) windows(const float *__restrict__ gauge, float *__restrict__ sums, int tiles)
{
    constexpr int stages = 3;
    __shared__ float window_stage[stages][96];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source b54177fb
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            __pipeline_memcpy_async(&window_stage[load_stage][t], &gauge[k_load * 96 + t], sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 96; ++j)
            sum += window_stage[stage][(j + t) % 96] * (float)(j % 3 + blockIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sums[blockIdx.x * 96 + t] = sum;
}

// The first warp brings the scale, and does not wait.
__global__ void scaled(const float *__restrict__ scale, float *__restrict__ sums)
{
    __shared__ float by;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            by = scale[blockIdx.x];
        __threadfence_block();
        asm volatile("bar.arrive 2, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 96;" ::: "memory");
        sums[blockIdx.x * 64 + threadIdx.x - 32] *= by;
    }
}
