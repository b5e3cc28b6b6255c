// Barriers with a number in a file that speaks of arriving, and in which another kernel
// does: the sums of a gauge's windows, which a second kernel of two roles scales.
#include <cuda_runtime.h>

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
    __shared__ float window_stage[2][96];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source b54177fb
    int k = 0, stage = 0;
    if (k < tiles) {
        window_stage[0][t] = gauge[k * 96 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float window_next = gauge[k * 96 + t];
            for (int j = 0; j < 96; ++j)
                sum += window_stage[stage][(j + t) % 96] * (float)(j % 3 + blockIdx.x);
            stage ^= 1;
            window_stage[stage][t] = window_next;
            __syncthreads();
        }
        for (int j = 0; j < 96; ++j)
            sum += window_stage[stage][(j + t) % 96] * (float)(j % 3 + blockIdx.x);
    }
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
