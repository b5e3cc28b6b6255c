#include <cuda_runtime.h>

#define STRIP 16

// y = A x for 32 rows: full strips by vector loads, the ragged last one element
// by element.
//
// pipelinify: launch gemv_strip
//   sizes n=4,16,32,52
//   target n=32772
//   block 32
//   A: in  [32 * n]
//   x: in  [n]
//   y: out [32]
//   n: n
__global__ void gemv_strip(const float *__restrict__ A, const float *__restrict__ x,
                           float *__restrict__ y, int n)
{
    __shared__ __align__(16) float sx[STRIP];
    __shared__ __align__(16) float sA[32][STRIP + 4];
    const int t = threadIdx.x;
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source 08de0264
    int k0 = 0;
    if (k0 < n) {
        if (k0 + STRIP <= n) {
            if (t < STRIP / 4)
                ((float4 *)sx)[t] = ((const float4 *)(x + k0))[t];
            for (int i = t; i < 32 * STRIP / 4; i += 32)
                *(float4 *)&sA[i / 4][i % 4 * 4] = *(const float4 *)&A[i / 4 * n + k0 + i % 4 * 4];
        } else {
            if (t < STRIP)
                sx[t] = k0 + t < n ? x[k0 + t] : 0.f;
            for (int i = t; i < 32 * STRIP; i += 32) {
                const int r = i / STRIP, c = i % STRIP;
                sA[r][c] = k0 + c < n ? A[r * n + k0 + c] : 0.f;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += STRIP; k0 < n; k0 += STRIP) {
            float4 sx_next;
            float4 sA_next[(32 * STRIP / 4) / 32];
            float sx_next2;
            float sA_next2[32 * STRIP / 32];
            if (k0 + STRIP <= n) {
                if (t < STRIP / 4)
                    sx_next = ((const float4 *)(x + k0))[t];
                #pragma unroll
                for (int slot = 0; slot < (32 * STRIP / 4) / 32; ++slot) {
                    int i = (t < 32 ? t : 31) + slot * 32;
                    sA_next[slot] = *(const float4 *)&A[i / 4 * n + k0 + i % 4 * 4];
                }
            } else {
                if (t < STRIP)
                    sx_next2 = k0 + t < n ? x[k0 + t] : 0.f;
                #pragma unroll
                for (int slot = 0; slot < 32 * STRIP / 32; ++slot) {
                    int i = (t < 32 ? t : 31) + slot * 32;
                    const int r = i / STRIP, c = i % STRIP;
                    sA_next2[slot] = k0 + c < n ? A[r * n + k0 + c] : 0.f;
                }
            }
            for (int k = 0; k < STRIP; ++k)
                sum += sA[t][k] * sx[k];
            __syncthreads();
            if (k0 + STRIP <= n) {
                if (t < STRIP / 4)
                    ((float4 *)sx)[t] = sx_next;
                #pragma unroll
                for (int slot = 0; slot < (32 * STRIP / 4) / 32; ++slot) {
                    int i = (t < 32 ? t : 31) + slot * 32;
                    *(float4 *)&sA[i / 4][i % 4 * 4] = sA_next[slot];
                }
            } else {
                if (t < STRIP)
                    sx[t] = sx_next2;
                #pragma unroll
                for (int slot = 0; slot < 32 * STRIP / 32; ++slot) {
                    int i = (t < 32 ? t : 31) + slot * 32;
                    const int r = i / STRIP, c = i % STRIP;
                    sA[r][c] = sA_next2[slot];
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < STRIP; ++k)
            sum += sA[t][k] * sx[k];
    }
    y[t] = sum;
}
