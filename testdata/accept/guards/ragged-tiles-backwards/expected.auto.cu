// Tiles of which the last one is short: only the cells that are there are copied, and they are
// read from the last to the first, or the last one by itself.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float cs_stage[2][TILE];
    __shared__ float ss_stage[2][TILE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = i < m ? 0.5f * points[i] : 0.0f;
    float total = 0.0f;
    // pipelinify: ldg, 2 stages, source e05f1255
    int base = 0, base_tile = base, stage = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            const int count = min(TILE, n - base_tile);
            float value = 0.0f;
            for (int c = count - 1; c >= 0; --c)
                value = value * (x - ss_stage[stage][c]) * 0.25f + cs_stage[stage][c];
            total += value;
        };
        {
            const int count = min(TILE, n - base);
            for (int c = threadIdx.x; c < count; c += blockDim.x) {
                cs_stage[0][c] = coeffs[base + c];
                ss_stage[0][c] = shifts[base + c];
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
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int c = threadIdx.x + slot * blockDim.x;
                if (c < count) {
                    cs_stage[stage][c] = cs_next[slot];
                    ss_stage[stage][c] = ss_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int c = threadIdx.x + 8 * blockDim.x; c < count; c += blockDim.x) {
                cs_stage[stage][c] = coeffs[base + c];
                ss_stage[stage][c] = shifts[base + c];
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
    constexpr int stages = 8;
    __shared__ float ts_stage[stages][TILE];
    __shared__ float ls_stage[stages][TILE];
    float area = 0.0f;
    // pipelinify: cp.async, 8 stages, source 2b7a9e61
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            int count = n - base_load;
            if (count > TILE)
                count = TILE;
            for (int c = threadIdx.x; c < count; c += 64)
                __pipeline_memcpy_async(&ts_stage[load_stage][c], &times[base_load + c],
                                        sizeof(float));
            for (int c = threadIdx.x; c < count; c += 64)
                __pipeline_memcpy_async(&ls_stage[load_stage][c], &levels[base_load + c],
                                        sizeof(float));
            base_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n; base += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        int count = n - base;
        if (count > TILE)
            count = TILE;
        const float end = ts_stage[stage][count - 1];
        for (int c = count - 2; c >= 0; c -= 2)
            area += (end - ts_stage[stage][c]) * ls_stage[stage][c] * threadIdx.x;
        area += ls_stage[stage][count - 1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = area;
}
