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
    // pipelinify: ldg-single, 1 stage, source e05f1255
    int base = 0, base_tile = base;
    if (base < n) {
        auto compute_tile = [&]() {
            const int count = min(TILE, n - base_tile);
            float value = 0.0f;
            for (int c = count - 1; c >= 0; --c)
                value = value * (x - ss[c]) * 0.25f + cs[c];
            total += value;
        };
        {
            const int count = min(TILE, n - base);
            for (int c = threadIdx.x; c < count; c += blockDim.x) {
                cs[c] = coeffs[base + c];
                ss[c] = shifts[base + c];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float cs_next[8];
            float ss_next[8];
            const int count = min(TILE, n - base);
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int c = threadIdx.x + slot * blockDim.x;
                if (c < count) {
                    cs_next[slot] = coeffs[base + c];
                    ss_next[slot] = shifts[base + c];
                }
            }
            compute_tile();
            base_tile += TILE;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int c = threadIdx.x + slot * blockDim.x;
                if (c < count) {
                    cs[c] = cs_next[slot];
                    ss[c] = ss_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int c = threadIdx.x + 8 * blockDim.x; c < count; c += blockDim.x) {
                cs[c] = coeffs[base + c];
                ss[c] = shifts[base + c];
            }
            __syncthreads();
        }
        compute_tile();
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
    // pipelinify: ldg-single, 1 stage, source 2b7a9e61
    int base = 0, base_tile = base;
    if (base < n) {
        auto compute_tile = [&]() {
            int count = n - base_tile;
            if (count > TILE)
                count = TILE;
            const float end = ts[count - 1];
            for (int c = count - 2; c >= 0; c -= 2)
                area += (end - ts[c]) * ls[c] * threadIdx.x;
            area += ls[count - 1];
        };
        {
            int count = n - base;
            if (count > TILE)
                count = TILE;
            for (int c = threadIdx.x; c < count; c += 64)
                ts[c] = times[base + c];
            for (int c = threadIdx.x; c < count; c += 64)
                ls[c] = levels[base + c];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float ts_next[4];
            float ls_next[4];
            int count = n - base;
            if (count > TILE)
                count = TILE;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int c = threadIdx.x + slot * 64;
                if (c < count)
                    ts_next[slot] = times[base + c];
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int c = threadIdx.x + slot * 64;
                if (c < count)
                    ls_next[slot] = levels[base + c];
            }
            compute_tile();
            base_tile += TILE;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int c = threadIdx.x + slot * 64;
                if (c < count)
                    ts[c] = ts_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int c = threadIdx.x + slot * 64;
                if (c < count)
                    ls[c] = ls_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = area;
}
