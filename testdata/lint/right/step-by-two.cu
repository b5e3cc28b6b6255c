#include <cuda_pipeline.h>
// Two tiles a round, a ring of four, one group for both.
__global__ void __launch_bounds__(128) pairs(const float *in, float *out, int n)
{
    __shared__ float s[4][128];
    const int t = threadIdx.x;
    float even = 0, odd = 0;
    for (int j = 0; j < 2; ++j)
        if (j < n)
            __pipeline_memcpy_async(&s[j][t], in + j * 128 + t, 4);
    __pipeline_commit();
    for (int k = 0; k < n; k += 2) {
        for (int j = 2; j < 4; ++j)
            if (k + j < n)
                __pipeline_memcpy_async(&s[(k + j) & 3][t], in + (k + j) * 128 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        even += s[k & 3][127 - t];
        if (k + 1 < n)
            odd += s[(k + 1) & 3][127 - t];
        __syncthreads();
    }
    out[t] = even - odd;
}
void run(const float *i, float *o, int n) { pairs<<<1, 128>>>(i, o, n); }
