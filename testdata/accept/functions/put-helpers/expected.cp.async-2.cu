// Loads into vector registers, and helpers that put these into the tile, transposed: called as they
// are, they are the stores.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 32

__device__ __forceinline__ void put(float (*tile)[T + 1], int row, int col, float4 v)
{
    tile[col + 0][row] = v.x;
    tile[col + 1][row] = v.y;
    tile[col + 2][row] = v.z;
    tile[col + 3][row] = v.w;
}

__device__ __forceinline__ void put_both(float (*tile)[T + 1], int row, int col, const float4 &v,
                                         const float4 &w)
{
    put(tile, row, col, v);
    put(tile, row + T / 2, col, w);
}

// pipelinify: launch gram
//   sizes    n=32 k=0,32,64,96,160
//   target   n=2048 k=2048
//   grid     n / 32, n / 32
//   block    8, 16
//   a:       in  [n * k + 4] random
//   c:       out [n * n]
//   n:       n
//   k:       k
__global__ void gram(const float *__restrict__ a, float *__restrict__ c, int n, int k)
{
    __shared__ float rows[T][T + 1], cols[T][T + 1];
    const int row = threadIdx.y, col = threadIdx.x * 4;
    const float *up = a + (blockIdx.y * T + row) * k + col;
    const float *left = a + (blockIdx.x * T + row) * k + col;
    float sum[2][4] = {};
    float4 kept[2];

    for (int k0 = 0; k0 < k; k0 += T) {
        float4 v = *(const float4 *)(up + k0);
        float4 w = *(const float4 *)(up + k0 + T / 2 * k);
        put_both(rows, row, col, v, w);
#pragma unroll
        for (int i = 0; i < 2; ++i)
            kept[i] = *(const float4 *)(left + k0 + i * T / 2 * k);
#pragma unroll
        for (int i = 0; i < 2; ++i)
            put(cols, row + i * T / 2, col, kept[i]);
        __syncthreads();
        for (int p = 0; p < T; ++p)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += rows[p][row + i * T / 2] * cols[p][col + j];
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * T + row + i * T / 2) * n + blockIdx.x * T + col + j] = sum[i][j];
}

__device__ __forceinline__ void put_or_zero(float *tile, int at, float2 v, bool there)
{
    const float2 w = there ? v : make_float2(0.f, 0.f);
    tile[at] = w.x;
    tile[at + T] = w.y;
}

// What one helper puts has been loaded by its caller: no asynchronous copy, unlike the other tile.
// pipelinify: launch weighted
//   sizes    n=0,31,32,64,96,150
//   target   n=65536
//   grid     2
//   block    32
//   pairs:   in  [(n + 31) / 32 * 32 + 1] random
//   weights: in  [(n + 31) / 32 * 32 + 1] random
//   out:     out [64]
//   n:       n
__global__ void weighted(const float2 *__restrict__ pairs, const float *__restrict__ weights,
                         float *__restrict__ out, int n)
{
    __shared__ float halves_stage[2][2 * T], weight_stage[2][T];
    float sum = 0.f;

    // pipelinify: cp.async, 2 stages, source 02034314
    int first = 0, stage = 0;
    if (first < n) {
        {
            __pipeline_memcpy_async(&weight_stage[0][threadIdx.x], &weights[first + threadIdx.x],
                                    sizeof(float));
            const float2 v = pairs[first + threadIdx.x];
            put_or_zero(halves_stage[0], threadIdx.x, v, first + threadIdx.x < n);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (first += T; first < n; first += T) {
            __pipeline_memcpy_async(&weight_stage[stage ^ 1][threadIdx.x],
                                    &weights[first + threadIdx.x], sizeof(float));
            const float2 v = pairs[first + threadIdx.x];
            __pipeline_commit();
            for (int i = 0; i < T; ++i)
                sum += (halves_stage[stage][i] + halves_stage[stage][i + T] * threadIdx.x) *
                       weight_stage[stage][T - 1 - i];
            stage ^= 1;
            put_or_zero(halves_stage[stage], threadIdx.x, v, first + threadIdx.x < n);
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += (halves_stage[stage][i] + halves_stage[stage][i + T] * threadIdx.x) *
                   weight_stage[stage][T - 1 - i];
    }
    out[blockIdx.x * T + threadIdx.x] = sum + blockIdx.x;
}
