// A header is missing that none of the loops without a tile would become one by; the error hides the
// tile of one loop, and a helper's name in another.
#include "lost/types.h"

__global__ void scaled(const lost::view<float> in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += 64)
        out[i] = in[i] * 2.0f;
}

__global__ void waits_outside(lost::view<float> in, float *out, int n)
{
    __shared__ float most[64];
    for (int i = threadIdx.x; i < n; i += 64)
        most[threadIdx.x] = fmaxf(most[threadIdx.x], in[i]);
    __syncthreads();
    out[threadIdx.x] = most[63 - threadIdx.x];
}

__global__ void tile_of_unknown(const float *in, float *out, int n)
{
    __shared__ lost::word tile[64];
    float sum = 0;
    for (int block = 0; block < 2; ++block)
        for (int i = 0; i < n; i += 64) {
            tile[threadIdx.x] = in[i + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < 64; ++k)
                sum += tile[k];
            __syncthreads();
        }
    out[threadIdx.x] = sum;
}

__global__ void barrier_of_unknown(const float *in, float *out, int n)
{
    __shared__ float tile[64];
    auto group = lost::block();
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = in[i + threadIdx.x];
        group.sync();
        for (int k = 0; k < 64; ++k)
            sum += tile[k] * k;
        group.sync();
    }
    out[threadIdx.x] = sum;
}
