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
    {
        int base = 0;
        auto base_load = base;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (base_load < n) {
                auto &cs = cs_stage[load_stage];
                auto &ss = ss_stage[load_stage];
                auto &base = base_load;
                const int count = min(TILE, n - base);
                for (int c = threadIdx.x; c < count; c += blockDim.x) {
                    __pipeline_memcpy_async(&cs[c], &coeffs[base + c], sizeof(float));
                    __pipeline_memcpy_async(&ss[c], &shifts[base + c], sizeof(float));
                }
                base += TILE;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; base < n; base += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &cs = cs_stage[stage];
                auto &ss = ss_stage[stage];
                const int count = min(TILE, n - base);
                float value = 0.0f;
                for (int c = count - 1; c >= 0; --c)
                    value = value * (x - ss[c]) * 0.25f + cs[c];
                total += value;
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
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
    __shared__ float ts_stage[2][TILE];
    __shared__ float ls_stage[2][TILE];
    float area = 0.0f;
    // pipelinify: cp.async, 2 stages, source 2b7a9e61
    {
        int base = 0;
        auto base_load = base;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (base_load < n) {
                auto &ts = ts_stage[load_stage];
                auto &ls = ls_stage[load_stage];
                auto &base = base_load;
                int count = n - base;
                if (count > TILE)
                    count = TILE;
                for (int c = threadIdx.x; c < count; c += 64) {
                    __pipeline_memcpy_async(&ts[c], &times[base + c], sizeof(float));
                }
                for (int c = threadIdx.x; c < count; c += 64) {
                    __pipeline_memcpy_async(&ls[c], &levels[base + c], sizeof(float));
                }
                base += TILE;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; base < n; base += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &ts = ts_stage[stage];
                auto &ls = ls_stage[stage];
                int count = n - base;
                if (count > TILE)
                    count = TILE;
                const float end = ts[count - 1];
                for (int c = count - 2; c >= 0; c -= 2)
                    area += (end - ts[c]) * ls[c] * threadIdx.x;
                area += ls[count - 1];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    out[threadIdx.x] = area;
}
