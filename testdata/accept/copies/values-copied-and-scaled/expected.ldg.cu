// One loaded value is kept as it is in one tile and scales bytes for another; the index changes between the
// stores, the source's pointer moves on between the loads, and compute needs the loop's variable.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source 3f33494d
    int k0 = 0, k0_tile = k0, stage = 0;
    if (k0 < n) {
        {
            const float v = *(from + threadIdx.x);
            kept_stage[0][threadIdx.x] = v;
            from += T;
            int at = threadIdx.x;
            scaled_stage[0][at] = B[k0 + at] * v;
            at = T - 1 - at;
            turned_stage[0][at] = A[k0 + at];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < n; k0 += T) {
            const float v = *(from + threadIdx.x);
            from += T;
            int at = threadIdx.x;
            unsigned char scaled_next = B[k0 + at];
            at = T - 1 - at;
            float turned_next = A[k0 + at];
            for (int k = 0; k < T; ++k)
                acc += kept_stage[stage][k] * scaled_stage[stage][(k + threadIdx.x) % T] -
                       turned_stage[stage][k] * k0_tile;
            k0_tile += T;
            stage ^= 1;
            {
                kept_stage[stage][threadIdx.x] = v;
                int at = threadIdx.x;
                scaled_stage[stage][at] = scaled_next * v;
                at = T - 1 - at;
                turned_stage[stage][at] = turned_next;
            }
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
    // pipelinify: ldg, 2 stages, source c275e1fa
    int k0 = 0, stage = 0;
    if (k0 < n) {
        {
            float *to_a = a_stage[0] + threadIdx.x;
            float *to_r = &r_stage[0][threadIdx.x];
            *to_a = A[k0 + threadIdx.x];
            *to_r = 1.0f / (1 + B[k0 + threadIdx.x]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < n; k0 += T) {
            float a_next = A[k0 + threadIdx.x];
            unsigned char r_next = B[k0 + threadIdx.x];
            for (int k = 0; k < T; ++k)
                acc += a_stage[stage][k] * r_stage[stage][(k + threadIdx.x) % T];
            stage ^= 1;
            {
                float *to_a = a_stage[stage] + threadIdx.x;
                float *to_r = &r_stage[stage][threadIdx.x];
                *to_a = a_next;
                *to_r = 1.0f / (1 + r_next);
            }
            __syncthreads();
        }
        for (int k = 0; k < T; ++k)
            acc += a_stage[stage][k] * r_stage[stage][(k + threadIdx.x) % T];
    }
    out[threadIdx.x] = acc;
}
