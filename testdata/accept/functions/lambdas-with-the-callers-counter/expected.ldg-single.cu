// Helpers that run a lambda for each element have a counter of the name that the kernel's loop, or
// what the lambda says, has too.
#include <cuda_runtime.h>

#define T 96

template <class F>
__device__ void for_each(int n, F f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        f(i);
}

template <class F>
__device__ void for_rows(int rows, int columns, F &&f)
{
    for (int i = threadIdx.x / columns; i < rows; i += 32 / columns)
        f(i, threadIdx.x % columns);
}

// pipelinify: launch sums
//   sizes    n=0,1,95,96,97,300
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n + 1]
//   y:       out [2 * 32]
//   n:       n
__global__ void __launch_bounds__(32) sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 820c839d
    int i = 0;
    if (i < n) {
        for (int i_for_each = threadIdx.x; i_for_each < (T); i_for_each += blockDim.x) { int j = i_for_each;
            s[j] = i + j < n ? row[i + j] : 0.f; }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += T; i < n; i += T) {
            float s_next[3];
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i_for_each = threadIdx.x + slot * blockDim.x;
                if (i_for_each < (T)) {
                    int j = i_for_each;
                    s_next[slot] = i + j < n ? row[i + j] : 0.f;
                }
            }
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + s[(j + threadIdx.x) % T];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i_for_each = threadIdx.x + slot * blockDim.x;
                if (i_for_each < (T)) {
                    int j = i_for_each;
                    s[j] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i_for_each = threadIdx.x + 3 * blockDim.x; i_for_each < (T);
                 i_for_each += blockDim.x) { int j = i_for_each; s[j] = i + j < n ? row[i + j] : 0.f; }
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s[(j + threadIdx.x) % T];
    }
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// pipelinify: launch columns
//   sizes    n=0,12,24,72
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n * 8 + 1]
//   y:       out [32]
//   n:       n
__global__ void __launch_bounds__(32) columns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[12][8];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 13fe0e10
    int i = 0;
    if (i < n) {
        for (int i_for_rows = threadIdx.x / 8; i_for_rows < 12; i_for_rows += 32 / 8) { int r = i_for_rows;
            int c = threadIdx.x % 8; s[r][c] = x[(i + r) * 8 + c]; }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 12; i < n; i += 12) {
            float s_next[3];
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i_for_rows = threadIdx.x / 8 + slot * (32 / 8);
                int r = i_for_rows;
                int c = threadIdx.x % 8;
                s_next[slot] = x[(i + r) * 8 + c];
            }
            for (int r = 0; r < 12; ++r)
                sum = 0.5f * sum + s[r][(r + threadIdx.x) % 8];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int i_for_rows = threadIdx.x / 8 + slot * (32 / 8);
                int r = i_for_rows;
                int c = threadIdx.x % 8;
                s[r][c] = s_next[slot];
            }
            __syncthreads();
        }
        for (int r = 0; r < 12; ++r)
            sum = 0.5f * sum + s[r][(r + threadIdx.x) % 8];
    }
    y[threadIdx.x] = sum;
}
