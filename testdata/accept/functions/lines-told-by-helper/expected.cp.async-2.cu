// Means of windows, in pairs, where what is not built for a device says so: the
// line of which a helper tells, by way of another, is one behind the loop, and
// moves down.
//
// pipelinify: launch window_means<4>
//   sizes    W=0,1,2,3,5,8
//   grid     2
//   block    64
//   samples: in    [W * 128 + 1]
//   scale:   in    [2 * W + 1]  range(0, 1)
//   means:   inout [128]
//   windows: W
#include <stdio.h>
#include <cuda_pipeline.h>

__device__ void told(const char *file, int line, const char *what)
{
    printf("%s:%d: %s is not built for this device\n", file, line, what);
}

__device__ void not_built(const char *file, const int line, const char *what, int parts)
{
    if (parts > 1)
        printf("line %d:\n", line);
    told(file, line, what);
    __trap();
}

#define NOT_BUILT(parts) not_built(__FILE__, __LINE__, __FUNCTION__, parts)

template <int PARTS>
__global__ void __launch_bounds__(64)
window_means(const float *__restrict__ samples, const float *__restrict__ scale,
             float *__restrict__ means, int windows)
{
    __shared__ float window_stage[2][64];
    float mean = 0.0f;
    int stage = 0;
    // pipelinify: cp.async, 2 stages, source 2a064144
    int w_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (w_load < windows)
        {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x],
                                    &samples[(w_load * 2 + blockIdx.x) * 64 + threadIdx.x],
                                    sizeof(float));
            ++w_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int w = 0; w < windows; ++w)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        float part = 0.0f;
        for (int k = 0; k < 64; k += PARTS)
            part += window_stage[stage][(threadIdx.x + k) % 64];
        mean += part * scale[w * 2 + blockIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
    __syncthreads();
    if (PARTS > 64)
        NOT_BUILT(PARTS);
    window_stage[stage][threadIdx.x] = mean;
    __syncthreads();
    mean += window_stage[stage][threadIdx.x ^ 1];
    means[blockIdx.x * 64 + threadIdx.x] += mean;
}

void means_of(const float *samples, const float *scale, float *means, int windows)
{
    window_means<4><<<2, 64>>>(samples, scale, means, windows);
}

template <int PARTS>
__global__ void parts_of_windows(const float *__restrict__ samples, float *__restrict__ parts)
{
    if (PARTS > 64)
        NOT_BUILT(1);
    parts[threadIdx.x] = samples[threadIdx.x * PARTS];
}
