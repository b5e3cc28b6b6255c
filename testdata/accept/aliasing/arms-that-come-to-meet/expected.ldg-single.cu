// Stores in the two arms of a branch, in iterations of their own: to cells that come to
// meet, and to cells that do not. What runs in one iteration is either, and what comes to
// a cell last is known for stores, not for asynchronous copies.
#include <cuda_runtime.h>

// pipelinify: launch halves_over_each_other
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    32
//   x:       in  [n * 256 + 1] random
//   y:       out [32]
//   n:       n
__global__ void halves_over_each_other(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 3244ffea
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i) {
            if (i < 2)
                s[32 * i + t] = x[k * 256 + i * 32 + t];
            else
                s[32 * (i - 2) + t] = x[k * 256 + 128 + i * 32 + t];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            float s_next2[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (i < 2)
                    s_next[i] = x[k * 256 + i * 32 + t];
                else
                    s_next2[i] = x[k * 256 + 128 + i * 32 + t];
            }
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (i < 2)
                    s[32 * i + t] = s_next[i];
                else
                    s[32 * (i - 2) + t] = s_next2[i];
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// The second half lies behind the first one.
// pipelinify: launch halves_apart
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    32
//   x:       in  [n * 256 + 1] random
//   y:       out [32]
//   n:       n
__global__ void halves_apart(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 0072a150
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i) {
            if (i < 2)
                s[32 * i + t] = x[k * 256 + i * 32 + t];
            else
                s[32 * (i - 2) + 64 + t] = x[k * 256 + 128 + i * 32 + t];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            float s_next2[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (i < 2)
                    s_next[i] = x[k * 256 + i * 32 + t];
                else
                    s_next2[i] = x[k * 256 + 128 + i * 32 + t];
            }
            for (int i = 0; i < 128; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (i < 2)
                    s[32 * i + t] = s_next[i];
                else
                    s[32 * (i - 2) + 64 + t] = s_next2[i];
            }
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Rows of which each holds the numbers of another one, by the bits of its own number.
// pipelinify: launch swizzled
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 256 + 1] random
//   y:       out [64]
//   n:       n
__global__ void swizzled(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[32 * 8];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 56309610
    int k = 0;
    if (k < n) {
        for (int i = t; i < 256; i += 64) {
            const int r = i / 8, c = i % 8;
            s[r * 8 + (c ^ (r & 7))] = x[k * 256 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (t < 64 ? t : 63) + slot * 64;
                s_next[slot] = x[k * 256 + i];
            }
            for (int i = 0; i < 256; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (t < 64 ? t : 63) + slot * 64;
                const int r = i / 8, c = i % 8;
                s[r * 8 + (c ^ (r & 7))] = s_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 256; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}
