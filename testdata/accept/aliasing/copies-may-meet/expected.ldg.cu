#include <cuda_runtime.h>

#define T 64

// Where 'shift' is 0 each thread stores twice to its own cell, and the second
// value stays; asynchronous copies would land in any order.
// pipelinify: launch shifted
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   y:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
//   shift:   0
__global__ void shifted(const float *__restrict__ x, const float *__restrict__ y,
                        float *__restrict__ out, int tiles, int shift)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source aeafa110
    int k = 0, stage = 0;
    if (k < tiles) {
        s_stage[0][t] = x[k * T + t];
        s_stage[0][(t + shift) % T] = y[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            float s_next2 = y[k * T + t];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j ^ t];
            stage ^= 1;
            s_stage[stage][t] = s_next;
            s_stage[stage][(t + shift) % T] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t];
    }
    out[t] = sum;
}

// One thread stores twice to one cell.
// pipelinify: launch one_thread
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   y:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void one_thread(const float *__restrict__ x,
                           const float *__restrict__ y,
                           float *__restrict__ out, int tiles)
{
    __shared__ float s_stage[2][2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 19850dd5
    int k = 0, stage = 0;
    if (k < tiles) {
        s_stage[0][t] = x[k * T + t];
        s_stage[0][t == 41 ? 41 : t + T] = y[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            float s_next2 = y[k * T + t];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j ^ t] * (j == 41 ? 1.0f : s_stage[stage][j + T]);
            stage ^= 1;
            s_stage[stage][t] = s_next;
            s_stage[stage][t == 41 ? 41 : t + T] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t] * (j == 41 ? 1.0f : s_stage[stage][j + T]);
    }
    out[t] = sum;
}

// Two copies meet where 'mode' is 7 alone.
// pipelinify: launch by_mode
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   y:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
//   mode:    7
__global__ void by_mode(const float *__restrict__ x, const float *__restrict__ y,
                        float *__restrict__ out, int tiles, int mode)
{
    __shared__ float s_stage[2][2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source eb7ef3ed
    int k = 0, stage = 0;
    if (k < tiles) {
        s_stage[0][t] = x[k * T + t];
        s_stage[0][t + T * (mode != 7)] = y[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            float s_next2 = y[k * T + t];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j ^ t];
            stage ^= 1;
            s_stage[stage][t] = s_next;
            s_stage[stage][t + T * (mode != 7)] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t];
    }
    out[t] = sum;
}

__device__ void put(float *cells, const float *values, int t)
{
    cells[t] = values[t];
}

__device__ auto put_fetch(const float *values, int t)
{
    float cells_next = values[t];
    return cells_next;
}

__device__ void put_store(float *cells, int t, float cells_next)
{
    cells[t] = cells_next;
}

// Two calls of a load helper meet where 'base' is 0.
// pipelinify: launch by_calls
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   y:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
//   base:    0
__global__ void by_calls(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int tiles, int base)
{
    __shared__ float s_stage[2][2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 18d8e03d
    int k = 0, stage = 0;
    if (k < tiles) {
        put(s_stage[0], x + k * T, t);
        put(s_stage[0] + base, y + k * T, t);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            auto s_next = put_fetch(x + k * T, t);
            auto s_next2 = put_fetch(y + k * T, t);
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j ^ t];
            stage ^= 1;
            put_store(s_stage[stage], t, s_next);
            put_store(s_stage[stage] + base, t, s_next2);
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t];
    }
    out[t] = sum;
}
