// Filter taps folded into shared bins: of the taps that share a bin the last one counts, so copies may not overtake each other.
#include <cuda_pipeline.h>

#define BINS 2
#define WIDTH 64

__device__ __forceinline__ int bin_of(int tap)
{
    const int half = tap / 2;
    return half % BINS;
}

// pipelinify: launch folded_taps
//   sizes  n=0,64,128,192,256,320
//   target n=131072
//   grid   2
//   block  64
//   x:     in  [n + 128] random
//   y:     out [128]
//   n:     n
__global__ void __launch_bounds__(WIDTH) folded_taps(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float bins_stage[2][BINS][WIDTH];
    __shared__ float4 quads_stage[2][WIDTH];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 1892b9c0
    int i = 0, stage = 0;
    if (i < n) {
        for (int tap = 0; tap < 5; ++tap)
            bins_stage[0][bin_of(tap)][threadIdx.x] = x[i + threadIdx.x + tap];
        quads_stage[0][threadIdx.x] = *reinterpret_cast<const float4 *>(&x[i + (threadIdx.x & 15) * 4]);
        quads_stage[0][threadIdx.x].w = x[i + 1];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += WIDTH; i < n; i += WIDTH) {
            float bins_next[5];
            #pragma unroll
            for (int tap = 0; tap < 5; ++tap)
                bins_next[tap] = x[i + threadIdx.x + tap];
            float4 quads_next = *reinterpret_cast<const float4 *>(&x[i + (threadIdx.x & 15) * 4]);
            float quads_next2 = x[i + 1];
            for (int k = 0; k < WIDTH; ++k)
                sum += bins_stage[stage][0][k] * quads_stage[stage][k].x -
                       bins_stage[stage][1][k ^ threadIdx.x] * quads_stage[stage][k].w;
            stage ^= 1;
            #pragma unroll
            for (int tap = 0; tap < 5; ++tap)
                bins_stage[stage][bin_of(tap)][threadIdx.x] = bins_next[tap];
            quads_stage[stage][threadIdx.x] = quads_next;
            quads_stage[stage][threadIdx.x].w = quads_next2;
            __syncthreads();
        }
        for (int k = 0; k < WIDTH; ++k)
            sum += bins_stage[stage][0][k] * quads_stage[stage][k].x -
                   bins_stage[stage][1][k ^ threadIdx.x] * quads_stage[stage][k].w;
    }
    y[blockIdx.x * WIDTH + threadIdx.x] = sum;
}

// Swizzled by a function, every cell once: nothing speaks against any form.
__device__ __forceinline__ int swizzled(int row, int col)
{
    return col ^ (row & 7);
}

// pipelinify: launch swizzled_rows
//   sizes  n=0,64,128,192,320
//   target n=131072
//   grid   1
//   block  64
//   x:     in  [n + 256] random
//   y:     out [64]
//   n:     n
__global__ void swizzled_rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float t_stage[stages][16][16];
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source f6b79eda
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            for (int e = threadIdx.x; e < 256; e += WIDTH) {
                const int r = e / 16, c = e % 16;
                __pipeline_memcpy_async(&t_stage[load_stage][r][swizzled(r, c)], &x[i_load + e], sizeof(float));
            }
            i_load += WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += WIDTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 16; ++k)
            sum += t_stage[stage][k][threadIdx.x & 15] * t_stage[stage][threadIdx.x >> 2][k];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
