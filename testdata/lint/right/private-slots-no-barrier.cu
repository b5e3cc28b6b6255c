#include <cuda_pipeline.h>
// Each thread copies for itself alone: no barrier is needed.
__global__ void poly(const float4 *in, float4 *out, int rounds)
{
    __shared__ float4 mine[2][64];
    const int me = threadIdx.x;
    const float4 *p = in + blockIdx.x * 64 + me;
    if (rounds > 0)
        __pipeline_memcpy_async(&mine[0][me], p, sizeof(float4));
    __pipeline_commit();
    float4 acc = {0, 0, 0, 0};
    for (int r = 0; r < rounds; ++r) {
        if (r + 1 < rounds)
            __pipeline_memcpy_async(&mine[(r + 1) & 1][me], p + (r + 1) * 4096, sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        float4 v = mine[r & 1][me];
        acc.x = acc.x * 0.5f + v.x;
        acc.y = acc.y * 0.5f + v.y;
        acc.z += v.z;
        acc.w += v.w;
    }
    out[blockIdx.x * 64 + me] = acc;
}

// pipelinify: launch poly
//   sizes   rounds=0,1,2,3,7
//   target  rounds=1000
//   grid    64
//   block   64
//   in:     in [(rounds + 1) * 4096]
//   out:    out [4096]
//   rounds: rounds
