// Helpers that wait are all that the loops do, without braces: squared distances, and what they add up to.
#include <cuda_runtime.h>
#define DIMS 16

__device__ __forceinline__ void add_squares(const float *x, const float *y, int dims, int d0,
                                            float (*xs)[DIMS + 1], float (*ys)[DIMS + 1], float &sum)
{
    const int i = threadIdx.y, j = threadIdx.x;
    xs[i][j] = d0 + j < dims ? x[(blockIdx.y * DIMS + i) * dims + d0 + j] : 0.0f;
    ys[i][j] = d0 + j < dims ? y[(blockIdx.x * DIMS + i) * dims + d0 + j] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DIMS; ++d) {
        const float diff = xs[i][d] - ys[j][d];
        sum += diff * diff;
    }
    __syncthreads();
}

// pipelinify: launch pairwise
//   sizes    dims=0,1,16,17,40 rows=16,48
//   target   dims=1024 rows=4096
//   grid     rows / 16, 1
//   block    16, 16
//   x:       in  [16 * dims] random
//   y:       in  [rows * dims] random
//   out:     out [16 * rows]
//   dims:    dims
//   rows:    rows
__global__ void __launch_bounds__(256)
pairwise(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int dims, int rows)
{
    __shared__ float xs[DIMS][DIMS + 1], ys[DIMS][DIMS + 1];
    float sum = 0.0f;
    for (int d0 = 0; d0 < dims; d0 += DIMS)
        add_squares(x, y, dims, d0, xs, ys, sum);
    out[(blockIdx.y * DIMS + threadIdx.y) * rows + blockIdx.x * DIMS + threadIdx.x] = sum;
}

__device__ float inner(const float *key, float *keys, float query, int k)
{
    float dot = 0.0f;
    keys[threadIdx.x] = key[k * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        dot += keys[i] * query;
    __syncthreads();
    return dot;
}

// pipelinify: launch scores
//   sizes    keys=0,1,2,5
//   target   keys=8192
//   grid     1
//   block    64
//   key:     in  [keys * 64] random
//   query:   in  [64] random
//   out:     out [64]
//   keys:    keys
__global__ void __launch_bounds__(64)
scores(const float *__restrict__ key, const float *__restrict__ query, float *__restrict__ out, int keys)
{
    __shared__ float row[64];
    const float q = query[threadIdx.x];
    float best = 0.0f;
    for (int k = 0; k < keys; ++k) best += inner(key, row, q, k);
    out[threadIdx.x] = best;
}
