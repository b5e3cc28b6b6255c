#include <cuda_runtime.h>

#define T 64

// Where 'shift' is 0 each thread stores twice to its own cell, and the second
// value stays; asynchronous copies would land in any order.
// pipelinify: launch shifted
//   sizes    T=64 tiles=0,1,2,3,5
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
    {
        int k = 0;
        if (k < tiles) {
            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                s[t] = x[k * T + t];
                s[(t + shift) % T] = y[k * T + t];
            }
            ++k;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; k < tiles; ++k) {
                float s_next = x[k * T + t];
                float s_next2 = y[k * T + t];
                {
                    auto &s = s_stage[stage];
                    for (int j = 0; j < T; ++j)
                        sum += s[j ^ t];
                }
                stage ^= 1;
                {
                    auto &s = s_stage[stage];
                    s[t] = s_next;
                    s[(t + shift) % T] = s_next2;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &s = s_stage[stage];
                for (int j = 0; j < T; ++j)
                    sum += s[j ^ t];
            }
        }
    }
    out[t] = sum;
}

// One thread stores twice to one cell.
// pipelinify: launch one_thread
//   sizes    T=64 tiles=0,1,2,3,5
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
    {
        int k = 0;
        if (k < tiles) {
            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                s[t] = x[k * T + t];
                s[t == 41 ? 41 : t + T] = y[k * T + t];
            }
            ++k;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; k < tiles; ++k) {
                float s_next = x[k * T + t];
                float s_next2 = y[k * T + t];
                {
                    auto &s = s_stage[stage];
                    for (int j = 0; j < T; ++j)
                        sum += s[j ^ t] * (j == 41 ? 1.0f : s[j + T]);
                }
                stage ^= 1;
                {
                    auto &s = s_stage[stage];
                    s[t] = s_next;
                    s[t == 41 ? 41 : t + T] = s_next2;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &s = s_stage[stage];
                for (int j = 0; j < T; ++j)
                    sum += s[j ^ t] * (j == 41 ? 1.0f : s[j + T]);
            }
        }
    }
    out[t] = sum;
}

// Two copies meet where 'mode' is 7 alone.
// pipelinify: launch by_mode
//   sizes    T=64 tiles=0,1,2,3,5
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
    {
        int k = 0;
        if (k < tiles) {
            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                s[t] = x[k * T + t];
                s[t + T * (mode != 7)] = y[k * T + t];
            }
            ++k;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; k < tiles; ++k) {
                float s_next = x[k * T + t];
                float s_next2 = y[k * T + t];
                {
                    auto &s = s_stage[stage];
                    for (int j = 0; j < T; ++j)
                        sum += s[j ^ t];
                }
                stage ^= 1;
                {
                    auto &s = s_stage[stage];
                    s[t] = s_next;
                    s[t + T * (mode != 7)] = s_next2;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &s = s_stage[stage];
                for (int j = 0; j < T; ++j)
                    sum += s[j ^ t];
            }
        }
    }
    out[t] = sum;
}
