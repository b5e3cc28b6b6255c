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
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        s[(t + shift) % T] = y[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
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
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        s[t == 41 ? 41 : t + T] = y[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * (j == 41 ? 1.0f : s[j + T]);
        __syncthreads();
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
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        s[t + T * (mode != 7)] = y[k * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum;
}

__device__ void put(float *cells, const float *values, int t)
{
    cells[t] = values[t];
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
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        put(s, x + k * T, t);
        put(s + base, y + k * T, t);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t];
        __syncthreads();
    }
    out[t] = sum;
}
