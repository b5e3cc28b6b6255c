// The tiles that are left behind the main loop are unrolled by a template.
#include <cuda_pipeline.h>

template <int Left>
struct Drain {
    template <class Use>
    __device__ static void run(int tile, int tiles, Use use)
    {
        __pipeline_wait_prior(Left - 1);
        __syncthreads();
        if (tile < tiles)
            use(tile);
        Drain<Left - 1>::run(tile + 1, tiles, use);
    }
};

template <>
struct Drain<0> {
    template <class Use>
    __device__ static void run(int, int, Use)
    {
    }
};

__global__ void drained(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float part[3][32];
    const int t = threadIdx.x;
    float sum = 0.0f;
    auto load = [&](int tile) {
        if (tile < tiles)
            __pipeline_memcpy_async(&part[tile % 3][t], &x[tile * 32 + t], sizeof(float));
        __pipeline_commit();
    };
    auto use = [&](int tile) { sum += part[tile % 3][31 - t] * (float)(tile + 1); };
    load(0);
    load(1);
    int tile = 0;
    for (; tile + 2 < tiles; ++tile) {
        __pipeline_wait_prior(1);
        __syncthreads();
        load(tile + 2);
        use(tile);
    }
    Drain<2>::run(tile, tiles, use);
    y[t] = sum;
}

void run(const float *x, float *y, int tiles) { drained<<<1, 32>>>(x, y, tiles); }
