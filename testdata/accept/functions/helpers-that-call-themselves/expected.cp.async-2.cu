#include <cuda_pipeline.h>

// Powers and alternating signs by functions that call themselves and each other; a
// row is found by one, and two accumulators change places in another.
//
// pipelinify: launch weighted_sums
//   sizes  T=0,1,2,3,5,8
//   grid   2
//   block  64
//   x:     in    [2 * 64 * T] range(-1, 1)
//   y:     inout [2 * 64]     random
//   tiles: T
__device__ float power(float v, int n)
{
    return n == 0 ? 1.0f : v * power(v, n - 1);
}

__device__ float odd(float v, int n);

__device__ float even(float v, int n)
{
    return n == 0 ? v : odd(v, n - 1);
}

__device__ float odd(float v, int n)
{
    return n == 0 ? -v : even(v, n - 1);
}

__device__ const float *row(const float *p, int n)
{
    return n == 0 ? p : row(p + 64, n - 1);
}

__device__ void add(float &to, float &other, float v, int n)
{
    if (n == 0)
        to += v;
    else
        add(other, to, v, n - 1);
}

__global__ void weighted_sums(const float *__restrict__ x, float *__restrict__ y,
                              int tiles)
{
    __shared__ float tile_stage[2][64];
    const float *mine = x + 64 * tiles * blockIdx.x;
    float low = 0.0f, high = 0.0f;
    // pipelinify: cp.async, 2 stages, source 3db29f77
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &row(mine, t_load)[threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            add(low, high, even(power(tile_stage[stage][j], 3), j & 3), j & 1);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[64 * blockIdx.x + threadIdx.x] += low - 2.0f * high;
}
