#include <cuda_pipeline.h>
// Tiles at the end are filled with zeros: every round copies and commits.
__global__ void __launch_bounds__(256) padded(const float4 *a, float *o, int n4)
{
    __shared__ float4 t[4][256];
    const int me = threadIdx.x, tiles = (n4 + 255) / 256;
    float acc = 0;
    for (int k = 0; k < 3; ++k) {
        const int at = k * 256 + me;
        __pipeline_memcpy_async(&t[k][me], a + (at < n4 ? at : 0), 16, at < n4 ? 0 : 16);
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(2);
        __syncthreads();
        const int at = (k + 3) * 256 + me;
        __pipeline_memcpy_async(&t[(k + 3) & 3][me], a + (at < n4 ? at : 0), 16, at < n4 ? 0 : 16);
        __pipeline_commit();
        const float4 v = t[k & 3][255 - me];
        acc += v.x + v.y + v.z + v.w;
    }
    __pipeline_wait_prior(0);
    o[me] = acc;
}
void run(const float4 *a, float *o, int n) { padded<<<1, 256>>>(a, o, n); }
