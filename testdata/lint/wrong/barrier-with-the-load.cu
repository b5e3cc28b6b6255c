#include <cuda_pipeline.h>
// The barrier stands with the load: the last tile has none.
__global__ void lastless(const float *in, float *out, int n)
{
    __shared__ float s[2][64];
    const int i = threadIdx.x;
    float acc = 0;
    if (n > 0) __pipeline_memcpy_async(&s[0][i], in + i, 4);
    __pipeline_commit();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) {
            __pipeline_memcpy_async(&s[(k + 1) & 1][i], in + (k + 1) * 64 + i, 4);
            __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncthreads();
        } else {
            __pipeline_wait_prior(0);
        }
        acc += s[k & 1][63 - i];
        if (k + 1 < n) __syncthreads();
    }
    out[i] = acc;
}
void run(const float *i, float *o, int n) { lastless<<<1, 64>>>(i, o, n); }
