#include <cuda_pipeline.h>
// The slot is flipped by XOR of the address; waits for all.
__global__ void convolve(const float *__restrict__ signal, const float *__restrict__ taps, float *__restrict__ y, int blocks)
{
    __shared__ __align__(16) float s[256];
    const int t = threadIdx.x;
    int toggle = 0;
    float acc = 0;
    if (blocks) {
        __pipeline_memcpy_async(&s[t * 4], signal + t * 4, 16);
        __pipeline_commit();
    }
    for (int b = 0; b < blocks; b++, toggle ^= 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (b + 1 < blocks) {
            __pipeline_memcpy_async(&s[(toggle ^ 128) + t * 4], signal + (b + 1) * 128 + t * 4, 16);
            __pipeline_commit();
        }
        for (int j = 0; j < 4; ++j)
            acc += taps[j] * s[toggle + ((t * 4 + j * 17) & 127)];
    }
    y[t] = acc;
}
void run(const float *s, const float *w, float *y, int b) { convolve<<<1, 32>>>(s, w, y, b); }
