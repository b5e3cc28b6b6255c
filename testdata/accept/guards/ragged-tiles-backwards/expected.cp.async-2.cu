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
    // pipelinify: cp.async, 2 stages, source e05f1255
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            const int count = min(TILE, n - base_load);
            for (int c = threadIdx.x; c < count; c += blockDim.x) {
                __pipeline_memcpy_async(&cs_stage[load_stage][c], &coeffs[base_load + c],
                                        sizeof(float));
                __pipeline_memcpy_async(&ss_stage[load_stage][c], &shifts[base_load + c],
                                        sizeof(float));
            }
            base_load += TILE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int count = min(TILE, n - base);
        float value = 0.0f;
        for (int c = count - 1; c >= 0; --c)
            value = value * (x - ss_stage[stage][c]) * 0.25f + cs_stage[stage][c];
        total += value;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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
    __shared__ float ts_stage[2][TILE];
    __shared__ float ls_stage[2][TILE];
    float area = 0.0f;
    // pipelinify: cp.async, 2 stages, source 2b7a9e61
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
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int count = n - base;
        if (count > TILE)
            count = TILE;
        const float end = ts_stage[stage][count - 1];
        for (int c = count - 2; c >= 0; c -= 2)
            area += (end - ts_stage[stage][c]) * ls_stage[stage][c] * threadIdx.x;
        area += ls_stage[stage][count - 1];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = area;
}
