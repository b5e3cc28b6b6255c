#include <cuda_pipeline.h>
// 16-byte pieces are swizzled over 8 columns where they are stored, over 4 where read:
// half of the row was never filled.
__global__ void __launch_bounds__(64) swizzle(const float4 *in, float4 *out, int n)
{
    __shared__ float4 s[2][16][8];
    const int r = threadIdx.x / 4, c = threadIdx.x % 4;
    auto put = [&](int k) {
        if (k < n) __pipeline_memcpy_async(&s[k & 1][r][c ^ (r & 3)], in + (k * 16 + r) * 4 + c, 16);
        __pipeline_commit();
    };
    float4 acc = {0, 0, 0, 0};
    put(0);
    for (int k = 0; k < n; ++k) {
        put(k + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = s[k & 1][15 - r][c ^ (r & 7)];
        acc.x += v.x; acc.y += v.y; acc.z += v.z; acc.w += v.w;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
