// Winograd F(2x2, 3x3): sixteen threads transform an input tile each on its way into shared memory, all accumulate.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__device__ __forceinline__ void in_transform(const float d[4][4], float v[16])
{
    float t[4][4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        t[0][j] = d[0][j] - d[2][j]; t[1][j] = d[1][j] + d[2][j];
        t[2][j] = d[2][j] - d[1][j]; t[3][j] = d[1][j] - d[3][j];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        v[i * 4 + 0] = t[i][0] - t[i][2]; v[i * 4 + 1] = t[i][1] + t[i][2];
        v[i * 4 + 2] = t[i][2] - t[i][1]; v[i * 4 + 3] = t[i][1] - t[i][3];
    }
}
// pipelinify: launch wino
//   sizes C=0,1,2,3,4,7 tiles=16 K=16
//   target C=2048 tiles=16 K=16
//   block 16, 16
//   in: in [C * tiles * 16 + 1]
//   U: in [C * 16 * K + 1]
//   out: out [16 * tiles * K]
//   C: C
//   K: K
__global__ void wino(const float *__restrict__ in, const float *__restrict__ U, float *__restrict__ out, int C, int K)
{
    __shared__ float Vs_stage[2][16][17];
    __shared__ float Us_stage[2][16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float m[16] = {0};
    // pipelinify: cp.async, 2 stages, source 08f11ec8
    int c = 0, stage = 0;
    if (c < C) {
        if (ty == 0) {
            float d[4][4], v[16];
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j)
                    d[i][j] = in[(c * 16 + tx) * 16 + i * 4 + j];
            }
            in_transform(d, v);
            for (int i = 0; i < 16; ++i)
                Vs_stage[0][i][tx] = v[i];
        }
        __pipeline_memcpy_async(&Us_stage[0][ty][tx], &U[(c * 16 + ty) * K + tx], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (++c; c < C; ++c) {
            float Vs_next[16];
            if (ty == 0) {
                float d[4][4], v[16];
                for (int i = 0; i < 4; ++i) {
                    for (int j = 0; j < 4; ++j)
                        d[i][j] = in[(c * 16 + tx) * 16 + i * 4 + j];
                }
                in_transform(d, v);
                #pragma unroll
                for (int i = 0; i < 16; ++i)
                    Vs_next[i] = v[i];
            }
            __pipeline_memcpy_async(&Us_stage[stage ^ 1][ty][tx], &U[(c * 16 + ty) * K + tx], sizeof(float));
            __pipeline_commit();
            for (int i = 0; i < 16; ++i) m[i] += Vs_stage[stage][i][tx] * Us_stage[stage][i][ty];
            stage ^= 1;
            if (ty == 0) {
                #pragma unroll
                for (int i = 0; i < 16; ++i)
                    Vs_stage[stage][i][tx] = Vs_next[i];
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i) m[i] += Vs_stage[stage][i][tx] * Us_stage[stage][i][ty];
    }
    for (int i = 0; i < 16; ++i) out[(i * 16 + tx) * K + ty] = m[i];
}
