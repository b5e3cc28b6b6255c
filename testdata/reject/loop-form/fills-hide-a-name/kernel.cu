// In the block that refills the tile a name means something else than behind it.
#include <cuda_runtime.h>

__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f, v = 0.5f;
    for (int i = 0; i < n; ++i) {
        const int k = i % 64;
        if (k == 0) {
            __syncthreads();
            const float v = i + t < n ? a[i + t] : 0.0f;
            s[t] = v;
            __syncthreads();
        }
        sum += s[k] * v;
    }
    out[t] = sum;
}
