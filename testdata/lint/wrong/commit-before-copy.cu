#include <cuda_pipeline.h>
// The group is committed before its copies are issued: each is in the next one.
__global__ void early(const float *in, float *out, int n)
{
    __shared__ float s[2][64];
    const int i = threadIdx.x;
    float acc = 0;
    __pipeline_commit();
    if (n > 0) __pipeline_memcpy_async(&s[0][i], in + i, 4);
    for (int k = 0; k < n; ++k) {
        __pipeline_commit();
        if (k + 1 < n) __pipeline_memcpy_async(&s[(k + 1) & 1][i], in + (k + 1) * 64 + i, 4);
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[k & 1][63 - i];
        __syncthreads();
    }
    out[i] = acc;
}
void run(const float *i, float *o, int n) { early<<<1, 64>>>(i, o, n); }
