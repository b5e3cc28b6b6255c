// A default and a load by way of a local that is more than what goes to the tile: it passes
// through registers, or is read there.
#include <cuda_runtime.h>

#define TILE 64

// Compute sees the local, the condition changes, a second branch has the last word.
// pipelinify: launch seen
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   block    64
//   a:       in  [n * 4 + 1] random
//   sum:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) seen(const float4 *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float4 as_stage[2][TILE], bs_stage[2][TILE], cs_stage[2][TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg, 2 stages, source 2b964292
    int k = 0, k_tile = k, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            int end = n;
            float4 x = make_float4(0, 0, 0, 0), y = make_float4(0, 0, 0, 0), z = make_float4(0, 0, 0, 0);
            if (k_tile + t < end)
                x = a[k_tile + t];
            end -= 2;
            for (int i = 0; i < TILE; ++i)
                total = total * 0.5f + as_stage[stage][i].x * bs_stage[stage][i ^ t].w + cs_stage[stage][i].y;
            total += x.x;
        };
        {
            int end = n;
            float4 x = make_float4(0, 0, 0, 0), y = make_float4(0, 0, 0, 0), z = make_float4(0, 0, 0, 0);
            if (k + t < end)
                x = a[k + t];
            if (k + t < end)
                y = a[n + k + t];
            end -= 2;
            if (k + t < end)
                z = a[2 * n + k + t];
            if (t == 7)
                z = make_float4(1, 2, 3, 4);
            as_stage[0][t] = x;
            bs_stage[0][t] = y;
            cs_stage[0][t] = z;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            int end = n;
            float4 x = make_float4(0, 0, 0, 0), y = make_float4(0, 0, 0, 0), z = make_float4(0, 0, 0, 0);
            if (k + t < end)
                x = a[k + t];
            if (k + t < end)
                y = a[n + k + t];
            end -= 2;
            if (k + t < end)
                z = a[2 * n + k + t];
            if (t == 7)
                z = make_float4(1, 2, 3, 4);
            compute_tile();
            k_tile += TILE;
            stage ^= 1;
            as_stage[stage][t] = x;
            bs_stage[stage][t] = y;
            cs_stage[stage][t] = z;
            __syncthreads();
        }
        compute_tile();
    }
    sum[t] = total;
}

// What it holds at first is from the tile before.
// pipelinify: launch left_over
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   block    64
//   a:       in  [n + 1] random
//   sum:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) left_over(const float4 *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float4 as_stage[2][TILE];
    const int t = threadIdx.x;
    float4 x = make_float4(1, 1, 1, 1);
    float total = 0.f;
    // pipelinify: ldg, 2 stages, source e3097fd1
    int k = 0, stage = 0;
    if (k < n) {
        if (k + t < n - 5)
            x = a[k + t];
        as_stage[0][t] = x;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            if (k + t < n - 5)
                x = a[k + t];
            for (int i = 0; i < TILE; ++i)
                total = total * 0.5f + as_stage[stage][i].x * as_stage[stage][i ^ t].w;
            stage ^= 1;
            as_stage[stage][t] = x;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            total = total * 0.5f + as_stage[stage][i].x * as_stage[stage][i ^ t].w;
    }
    sum[t] = total + x.y;
}

// The loop that stores takes the elements in another order.
// pipelinify: launch turned
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   block    64
//   a:       in  [n + 1] random
//   sum:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) turned(const float4 *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float4 as_stage[2][2 * TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg, 2 stages, source cb4d4649
    int k = 0, stage = 0;
    if (k < n) {
        {
            float4 v[2];
            for (int j = 0; j < 2; ++j) {
                v[j] = make_float4(0.f, 0.f, 0.f, 0.f);
                if (k + t + j * TILE < n)
                    v[j] = a[k + t + j * TILE];
            }
            for (int j = 0; j < 2; ++j)
                as_stage[0][t + j * TILE] = v[1 - j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 2 * TILE; k < n; k += 2 * TILE) {
            float4 v[2];
            for (int j = 0; j < 2; ++j) {
                v[j] = make_float4(0.f, 0.f, 0.f, 0.f);
                if (k + t + j * TILE < n)
                    v[j] = a[k + t + j * TILE];
            }
            for (int i = 0; i < 2 * TILE; ++i)
                total = total * 0.5f + as_stage[stage][i].x * as_stage[stage][i ^ t].w;
            stage ^= 1;
            #pragma unroll
            for (int j = 0; j < 2; ++j)
                as_stage[stage][t + j * TILE] = v[1 - j];
            __syncthreads();
        }
        for (int i = 0; i < 2 * TILE; ++i)
            total = total * 0.5f + as_stage[stage][i].x * as_stage[stage][i ^ t].w;
    }
    sum[t] = total;
}
