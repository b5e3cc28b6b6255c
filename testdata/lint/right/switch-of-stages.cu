#include <cuda_pipeline.h>
// Three arrays with names of their own, chosen by a switch.
__device__ float *pick(int s, float *a, float *b, float *c)
{
    switch (s) {
    case 0: return a;
    case 1: return b;
    default: return c;
    }
}
__global__ void chosen(const float *in, float *out, int n)
{
    __shared__ float a[64], b[64], c[64];
    const int i = threadIdx.x;
    float acc = 0;
    for (int k = 0; k < 2; ++k) {
        if (k < n)
            __pipeline_memcpy_async(pick(k, a, b, c) + i, in + k * 64 + i, 4);
        __pipeline_commit();
    }
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(1);
        __syncthreads();
        const float *now = pick(k % 3, a, b, c);
        acc += now[i] + now[63 - i];
        if (k + 2 < n)
            __pipeline_memcpy_async(pick((k + 2) % 3, a, b, c) + i, in + (k + 2) * 64 + i, 4);
        __pipeline_commit();
    }
    out[i] = acc;
}
void run(const float *i, float *o, int n) { chosen<<<1, 64>>>(i, o, n); }
