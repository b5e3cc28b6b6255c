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
    int k0 = 0, k0_tile = k0, stage = 0;
    if (k0 < n) {
        {
            const float v = *(from + threadIdx.x);
            __pipeline_memcpy_async(&kept_stage[0][threadIdx.x], (from + threadIdx.x), sizeof(float));
            from += T;
            int at = threadIdx.x;
            scaled_stage[0][at] = B[k0 + at] * v;
            at = T - 1 - at;
            __pipeline_memcpy_async(&turned_stage[0][at], &A[k0 + at], sizeof(float));
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (k0 += T; k0 < n; k0 += T) {
            const float v = *(from + threadIdx.x);
            __pipeline_memcpy_async(&kept_stage[stage ^ 1][threadIdx.x], (from + threadIdx.x), sizeof(float));
            from += T;
            int at = threadIdx.x;
            unsigned char scaled_next = B[k0 + at];
            at = T - 1 - at;
            __pipeline_memcpy_async(&turned_stage[stage ^ 1][at], &A[k0 + at], sizeof(float));
            __pipeline_commit();
            for (int k = 0; k < T; ++k)
                acc += kept_stage[stage][k] * scaled_stage[stage][(k + threadIdx.x) % T] -
                       turned_stage[stage][k] * k0_tile;
            k0_tile += T;
            stage ^= 1;
            {
                int at = threadIdx.x;
                scaled_stage[stage][at] = scaled_next * v;
                at = T - 1 - at;
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int k = 0; k < T; ++k)
            acc += kept_stage[stage][k] * scaled_stage[stage][(k + threadIdx.x) % T] - turned_stage[stage][k] * k0_tile;
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
    int k0 = 0, stage = 0;
    if (k0 < n) {
        {
            float *to_a = a_stage[0] + threadIdx.x;
            float *to_r = &r_stage[0][threadIdx.x];
            __pipeline_memcpy_async(to_a, &A[k0 + threadIdx.x], sizeof(float));
            *to_r = 1.0f / (1 + B[k0 + threadIdx.x]);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (k0 += T; k0 < n; k0 += T) {
            float *to_a = a_stage[stage ^ 1] + threadIdx.x;
            float *to_r = &r_stage[stage ^ 1][threadIdx.x];
            __pipeline_memcpy_async(to_a, &A[k0 + threadIdx.x], sizeof(float));
            unsigned char r_next = B[k0 + threadIdx.x];
            __pipeline_commit();
            for (int k = 0; k < T; ++k)
                acc += a_stage[stage][k] * r_stage[stage][(k + threadIdx.x) % T];
            stage ^= 1;
            {
                *to_r = 1.0f / (1 + r_next);
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int k = 0; k < T; ++k)
            acc += a_stage[stage][k] * r_stage[stage][(k + threadIdx.x) % T];
    }
    out[threadIdx.x] = acc;
}
