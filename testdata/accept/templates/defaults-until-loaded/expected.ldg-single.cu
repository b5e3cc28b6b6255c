// A default value, and what is loaded where there is something, by way of a local: in all
// spellings it is a copy or zeros.
#include <cuda_runtime.h>

#define TILE 64

// Both by one branch, declared with one default.
// pipelinify: launch declared
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   b:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) declared(const float4 *__restrict__ a, const float4 *__restrict__ b,
                                               float *__restrict__ sum, int n)
{
    __shared__ float4 as[TILE], bs[TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source b61626d2
    int k = 0;
    if (k < n) {
        {
            float4 x = make_float4(0.f, 0.f, 0.f, 0.f), y = make_float4(0.f, 0.f, 0.f, 0.f);
            // beyond the end is nothing
            if (k + t < n) {
                x = a[k + t];
                y = b[k + t];
            }
            as[t] = x;
            bs[t] = y;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            float4 x = make_float4(0.f, 0.f, 0.f, 0.f), y = make_float4(0.f, 0.f, 0.f, 0.f);
            // beyond the end is nothing
            if (k + t < n) {
                x = a[k + t];
                y = b[k + t];
            }
            for (int i = 0; i < TILE; ++i)
                total = total * 0.5f + as[i].x * bs[i ^ t].w + as[i ^ t].y;
            __syncthreads();
            as[t] = x;
            bs[t] = y;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            total = total * 0.5f + as[i].x * bs[i ^ t].w + as[i ^ t].y;
    }
    sum[blockIdx.x * 64 + t] = total;
}

// Assigned, by branches with an else, and from outside the loop.
// pipelinify: launch assigned
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   b:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) assigned(const float4 *__restrict__ a, const float4 *__restrict__ b,
                                               float *__restrict__ sum, int n)
{
    __shared__ float4 as[TILE], bs[TILE];
    __shared__ int4 cs[TILE];
    const float4 nothing = make_float4(0.f, 0.f, 0.f, 0.f);
    const int t = threadIdx.x;
    float4 x;
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source 6d2ec7d5
    int k = 0;
    if (k < n) {
        {
            x = nothing;
            if (k + t < n)
                x = a[k + t];
            as[t] = x;

            float4 y;
            if (k + t >= n)
                y = nothing;
            else
                y = b[k + t];
            int4 z = {};
            if (k + t < n) {
                if (t % 3)
                    z = *reinterpret_cast<const int4 *>(&b[k + t]);
            }
            bs[t] = y;
            cs[t] = z;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            x = nothing;
            if (k + t < n)
                x = a[k + t];

            float4 y;
            if (k + t >= n)
                y = nothing;
            else
                y = b[k + t];
            int4 z = {};
            if (k + t < n) {
                if (t % 3)
                    z = *reinterpret_cast<const int4 *>(&b[k + t]);
            }
            for (int i = 0; i < TILE; ++i)
                total = total * 0.5f + as[i].x * bs[i ^ t].w + (cs[i].y & 3);
            __syncthreads();
            as[t] = x;
            bs[t] = y;
            cs[t] = z;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            total = total * 0.5f + as[i].x * bs[i ^ t].w + (cs[i].y & 3);
    }
    sum[blockIdx.x * 64 + t] = total;
}

// Elements of an array; rows of a matrix.
// pipelinify: launch in_array
//   sizes    rows=0,1,2,5 cols=1,16,17
//   sizes    rows=9 cols=33
//   target   rows=20000 cols=16
//   block    16, 16
//   m:       in  [rows * cols + 1] random
//   sum:     out [256]
//   rows:    rows
//   cols:    cols
__global__ void __launch_bounds__(256) in_array(const float4 *__restrict__ m, float *__restrict__ sum, int rows, int cols)
{
    __shared__ float4 part[32][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source df4518ed
    int r = 0;
    if (r < rows) {
        {
            float4 v[2];
            v[0] = make_float4(0, 0, 0, 0);
            v[1] = make_float4(0, 0, 0, 0);
            if (r + ty < rows && tx < cols)
                v[0] = m[(r + ty) * cols + tx];
            if (r + ty + 16 < rows && tx < cols)
                v[1] = m[(r + ty + 16) * cols + tx];
            part[ty][tx] = v[0];
            part[ty + 16][tx] = v[1];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += 32; r < rows; r += 32) {
            float4 v[2];
            v[0] = make_float4(0, 0, 0, 0);
            v[1] = make_float4(0, 0, 0, 0);
            if (r + ty < rows && tx < cols)
                v[0] = m[(r + ty) * cols + tx];
            if (r + ty + 16 < rows && tx < cols)
                v[1] = m[(r + ty + 16) * cols + tx];
            for (int i = 0; i < 32; ++i)
                total = total * 0.5f + part[i][tx].x * part[31 - i][ty].z;
            __syncthreads();
            part[ty][tx] = v[0];
            part[ty + 16][tx] = v[1];
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            total = total * 0.5f + part[i][tx].x * part[31 - i][ty].z;
    }
    sum[ty * 16 + tx] = total;
}

// Fetched by one loop, stored by the next.
// pipelinify: launch in_rounds
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=262144
//   grid     2
//   block    64
//   a:       in  [n + 1] random
//   sum:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) in_rounds(const float4 *__restrict__ a, float *__restrict__ sum, int n)
{
    __shared__ float4 as[2 * TILE];
    const int t = threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source 6be64b8d
    int k = 0;
    if (k < n) {
        {
            float4 v[2];
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int at = t + j * TILE;
                v[j] = make_float4(0.f, 0.f, 0.f, 0.f);
                if (k + at < n)
                    v[j] = a[k + at];
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int at = t + j * TILE;
                as[at] = v[j];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 2 * TILE; k < n; k += 2 * TILE) {
            float4 v[2];
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int at = t + j * TILE;
                v[j] = make_float4(0.f, 0.f, 0.f, 0.f);
                if (k + at < n)
                    v[j] = a[k + at];
            }
            for (int i = 0; i < 2 * TILE; ++i)
                total = total * 0.5f + as[i].x * as[i ^ t].w;
            __syncthreads();
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int at = t + j * TILE;
                as[at] = v[j];
            }
            __syncthreads();
        }
        for (int i = 0; i < 2 * TILE; ++i)
            total = total * 0.5f + as[i].x * as[i ^ t].w;
    }
    sum[blockIdx.x * 64 + t] = total;
}
