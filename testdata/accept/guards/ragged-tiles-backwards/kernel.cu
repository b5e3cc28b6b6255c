// Tiles of which the last one is short: only the cells that are there are copied, and they are
// read from the last to the first, or the last one by itself.
#include <cuda_runtime.h>

#define TILE 256

// pipelinify: launch horner
//   sizes    n=0,1,64,255,256,257,512,700,1800 m=1,100
//   target   n=65536 m=32768
//   grid     (m + 63) / 64
//   block    64
//   coeffs:  in  [n + 1]
//   shifts:  in  [n + 1]
//   points:  in  [m]
//   values:  out [m]
//   n:       n
//   m:       m
__global__ __launch_bounds__(64) void horner(const float *__restrict__ coeffs,
                                             const float *__restrict__ shifts,
                                             const float *__restrict__ points,
                                             float *__restrict__ values, int n, int m)
{
    __shared__ float cs[TILE];
    __shared__ float ss[TILE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = i < m ? 0.5f * points[i] : 0.0f;
    float total = 0.0f;
    for (int base = 0; base < n; base += TILE) {
        const int count = min(TILE, n - base);
        for (int c = threadIdx.x; c < count; c += blockDim.x) {
            cs[c] = coeffs[base + c];
            ss[c] = shifts[base + c];
        }
        __syncthreads();
        float value = 0.0f;
        for (int c = count - 1; c >= 0; --c)
            value = value * (x - ss[c]) * 0.25f + cs[c];
        total += value;
        __syncthreads();
    }
    if (i < m)
        values[i] = total;
}

// pipelinify: launch last_steps
//   sizes    n=0,1,64,255,256,257,512,700,1800
//   target   n=262144
//   grid     1
//   block    64
//   times:   in  [n + 1]
//   levels:  in  [n + 1]
//   out:     out [64]
//   n:       n
__global__ __launch_bounds__(64) void last_steps(const float *__restrict__ times,
                                                 const float *__restrict__ levels,
                                                 float *__restrict__ out, int n)
{
    __shared__ float ts[TILE];
    __shared__ float ls[TILE];
    float area = 0.0f;
    for (int base = 0; base < n; base += TILE) {
        int count = n - base;
        if (count > TILE)
            count = TILE;
        for (int c = threadIdx.x; c < count; c += 64)
            ts[c] = times[base + c];
        for (int c = threadIdx.x; c < count; c += 64)
            ls[c] = levels[base + c];
        __syncthreads();
        const float end = ts[count - 1];
        for (int c = count - 2; c >= 0; c -= 2)
            area += (end - ts[c]) * ls[c] * threadIdx.x;
        area += ls[count - 1];
        __syncthreads();
    }
    out[threadIdx.x] = area;
}
