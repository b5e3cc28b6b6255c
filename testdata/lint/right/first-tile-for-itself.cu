// The first tile is loaded ahead of the loop for a number of its own, and again by the loop.
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(64) centred(const float *in, float *out, int tiles)
{
    __shared__ float s[64];
    float sum = 0;
    if (tiles == 0)
        return;
    auto load = [&](int k) {
        __pipeline_memcpy_async(&s[threadIdx.x], in + k * 64 + threadIdx.x, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    };
    load(0);
    const float middle = s[63 - threadIdx.x];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        load(k);
        sum += s[threadIdx.x ^ 1] - middle;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
