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

    for (int k0 = 0; k0 < n; k0 += STRIP) {
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
        for (int k = 0; k < STRIP; ++k)
            sum += sA[t][k] * sx[k];
        __syncthreads();
    }
    y[t] = sum;
}
