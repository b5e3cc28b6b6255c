// One loaded value is kept as it is in one tile and scales bytes for another; the index changes between the
// stores, the source's pointer moves on between the loads, and compute needs the loop's variable.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch scaled_bytes
//   sizes  n=0,64,128,192,320
//   target n=65536
//   grid   2
//   block  64
//   A:     in  [n + 64] random
//   B:     in  [n + 64] random
//   out:   out [128]
//   n:     n
__global__ void scaled_bytes(const float *__restrict__ A, const unsigned char *__restrict__ B,
                             float *__restrict__ out, int n)
{
    __shared__ float kept_stage[2][T], scaled_stage[2][T], turned_stage[2][T];
    float acc = 0.0f;
    const float *from = A;
    // pipelinify: cp.async, 2 stages, source 3f33494d
    {
        int k0 = 0;
        auto k0_tile = k0;
        if (k0 < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &kept = kept_stage[stage];
                auto &scaled = scaled_stage[stage];
                auto &turned = turned_stage[stage];
                auto &k0 = k0_tile;
                for (int k = 0; k < T; ++k)
                    acc += kept[k] * scaled[(k + threadIdx.x) % T] - turned[k] * k0;
            };

            // Prologue: load the first tile.
            {
                auto &kept = kept_stage[0];
                auto &scaled = scaled_stage[0];
                auto &turned = turned_stage[0];
                const float v = *(from + threadIdx.x);
                __pipeline_memcpy_async(&kept[threadIdx.x], (from + threadIdx.x), sizeof(float));
                from += T;
                int at = threadIdx.x;
                scaled[at] = B[k0 + at] * v;
                at = T - 1 - at;
                __pipeline_memcpy_async(&turned[at], &A[k0 + at], sizeof(float));
            }
            k0 += T;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy or fetch the next tile while computing on this one.
            int stage = 0;
            for (; k0 < n; k0 += T) {
                auto &kept = kept_stage[stage ^ 1];
                auto &scaled = scaled_stage[stage ^ 1];
                auto &turned = turned_stage[stage ^ 1];
                const float v = *(from + threadIdx.x);
                __pipeline_memcpy_async(&kept[threadIdx.x], (from + threadIdx.x), sizeof(float));
                from += T;
                int at = threadIdx.x;
                unsigned char scaled_next = B[k0 + at];
                at = T - 1 - at;
                __pipeline_memcpy_async(&turned[at], &A[k0 + at], sizeof(float));
                __pipeline_commit();
                compute_tile(stage);
                k0_tile += T;
                stage ^= 1;
                {
                    int at = threadIdx.x;
                    scaled[at] = scaled_next * v;
                    at = T - 1 - at;
                }
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    out[blockIdx.x * T + threadIdx.x] = acc + (from - A);
}

// pipelinify: launch reciprocals
//   sizes  n=0,64,128,192,320
//   target n=65536
//   grid   1
//   block  64
//   A:     in  [n + 64] random
//   B:     in  [n + 64] random
//   out:   out [64]
//   n:     n
__global__ void reciprocals(const float *__restrict__ A, const unsigned char *__restrict__ B,
                            float *__restrict__ out, int n)
{
    __shared__ float a_stage[2][T], r_stage[2][T];
    float acc = 0.0f;
    // pipelinify: cp.async, 2 stages, source c275e1fa
    {
        int k0 = 0;
        if (k0 < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &a = a_stage[stage];
                auto &r = r_stage[stage];
                for (int k = 0; k < T; ++k)
                    acc += a[k] * r[(k + threadIdx.x) % T];
            };

            // Prologue: load the first tile.
            {
                auto &a = a_stage[0];
                auto &r = r_stage[0];
                float *to_a = a + threadIdx.x;
                float *to_r = &r[threadIdx.x];
                __pipeline_memcpy_async(to_a, &A[k0 + threadIdx.x], sizeof(float));
                *to_r = 1.0f / (1 + B[k0 + threadIdx.x]);
            }
            k0 += T;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy or fetch the next tile while computing on this one.
            int stage = 0;
            for (; k0 < n; k0 += T) {
                auto &a = a_stage[stage ^ 1];
                auto &r = r_stage[stage ^ 1];
                float *to_a = a + threadIdx.x;
                float *to_r = &r[threadIdx.x];
                __pipeline_memcpy_async(to_a, &A[k0 + threadIdx.x], sizeof(float));
                unsigned char r_next = B[k0 + threadIdx.x];
                __pipeline_commit();
                compute_tile(stage);
                stage ^= 1;
                {
                    *to_r = 1.0f / (1 + r_next);
                }
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    out[threadIdx.x] = acc;
}
