#include <cuda_pipeline.h>
// The loop has worked on all tiles, and the last one is added once more behind it.
__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ float s[2][64];
    const int i = threadIdx.x;
    float acc = 0;
    auto fetch = [&](int t) {
        if (t < tiles)
            __pipeline_memcpy_async(&s[t & 1][i], in + t * 64 + i, 4);
        __pipeline_commit();
    };
    auto work = [&](int t) {
        for (int k = 0; k < 64; k += 16)
            acc += s[t & 1][(i + k) & 63];
    };
    fetch(0);
    for (int t = 0; t < tiles; ++t) {
        fetch(t + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        work(t);
        __syncthreads();
    }
    __pipeline_wait_prior(0);
    if (tiles > 0)
        work(tiles - 1);
    out[i] = acc;
}

void run(const float *i, float *o, int n) { sums<<<1, 64>>>(i, o, n); }
