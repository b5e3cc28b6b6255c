// Winograd F(2x2, 3x3): sixteen threads transform an input tile each on its way into shared memory, all accumulate.
#include <cuda_runtime.h>
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
    __shared__ float Vs[16][17];
    __shared__ float Us[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float m[16] = {0};
    // pipelinify: ldg-single, 1 stage, source 08f11ec8
    int c = 0;
    if (c < C) {
        if (ty == 0) {
            float d[4][4], v[16];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) d[i][j] = in[(c * 16 + tx) * 16 + i * 4 + j];
            in_transform(d, v);
            for (int i = 0; i < 16; ++i) Vs[i][tx] = v[i];
        }
        Us[ty][tx] = U[(c * 16 + ty) * K + tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
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
            float Us_next = U[(c * 16 + ty) * K + tx];
            for (int i = 0; i < 16; ++i) m[i] += Vs[i][tx] * Us[i][ty];
            __syncthreads();
            if (ty == 0) {
                #pragma unroll
                for (int i = 0; i < 16; ++i)
                    Vs[i][tx] = Vs_next[i];
            }
            Us[ty][tx] = Us_next;
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i) m[i] += Vs[i][tx] * Us[i][ty];
    }
    for (int i = 0; i < 16; ++i) out[(i * 16 + tx) * K + ty] = m[i];
}
