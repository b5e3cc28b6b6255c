#include <cuda_pipeline.h>
// Where there is no tile, one is read.
__global__ void clamp(const float *in, float *out, int tiles)
{
    __shared__ float s[3][64];
    const int i = threadIdx.x;
    for (int t = 0; t < 2; ++t) {
        int from = t < tiles ? t : tiles - 1;
        __pipeline_memcpy_async(&s[t][i], in + from * 64 + i, 4);
        __pipeline_commit();
    }
    float acc = 0;
    int t = 0;
    do {
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[t % 3][63 - i];
        __pipeline_memcpy_async(&s[(t + 2) % 3][i], in + min(t + 2, tiles - 1) * 64 + i, 4);
        __pipeline_commit();
    } while (++t < tiles);
    __pipeline_wait_prior(0);
    out[i] = acc;
}

void run(const float *i, float *o, int t) { clamp<<<1, 64>>>(i, o, t); }
