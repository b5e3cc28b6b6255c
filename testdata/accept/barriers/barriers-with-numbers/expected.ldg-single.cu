// Barriers with a number, and with how many threads wait, that all threads of the block
// come to: moments of a signal, and a filter whose halves of the block wait each at a
// barrier of its own.
#include <cuda_runtime.h>

// pipelinify: launch moments
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    64
//   x:       in  [tiles*64 + 1]
//   y:       out [3*64]
//   tiles:   tiles

__global__ void __launch_bounds__(64) moments(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source bfa6c2a0
    int k = 0;
    if (k < tiles) {
        s[t] = x[k * 64 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * 64 + t];
            for (int j = 0; j < 64; ++j)
                sum += s[j] * (float)((j + t + blockIdx.x) % 7);
            __syncthreads();
            s[t] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)((j + t + blockIdx.x) % 7);
    }
    y[blockIdx.x * 64 + t] = sum;
}

// pipelinify: launch halves
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    128
//   x:       in  [tiles*128 + 1]
//   y:       out [2*128]
//   tiles:   tiles

__global__ void halves(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[2][64];
    const int half = threadIdx.x / 64, t = threadIdx.x % 64;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 548f6a44
    int k = 0;
    if (k < tiles) {
        s[half][t] = x[(k * 2 + half) * 64 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[(k * 2 + half) * 64 + t];
            for (int j = 0; j < 64; ++j)
                sum += s[half][(j + t) % 64] * (float)(j % 5 + blockIdx.x);
            __syncthreads();
            s[half][t] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[half][(j + t) % 64] * (float)(j % 5 + blockIdx.x);
    }
    y[blockIdx.x * 128 + threadIdx.x] = sum;
}
