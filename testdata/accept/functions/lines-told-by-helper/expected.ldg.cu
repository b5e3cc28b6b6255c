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
    // pipelinify: ldg, 2 stages, source 2a064144
    int w = 0, w_tile = w;
    if (w < windows)
    {
        auto compute_tile = [&]()
        {
            float part = 0.0f;
            for (int k = 0; k < 64; k += PARTS)
                part += window_stage[stage][(threadIdx.x + k) % 64];
            mean += part * scale[w_tile * 2 + blockIdx.x];
        };
        window_stage[0][threadIdx.x] = samples[(w * 2 + blockIdx.x) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++w; w < windows; ++w)
        {
            float window_next = samples[(w * 2 + blockIdx.x) * 64 + threadIdx.x];
            compute_tile();
            ++w_tile;
            stage ^= 1;
            window_stage[stage][threadIdx.x] = window_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
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
