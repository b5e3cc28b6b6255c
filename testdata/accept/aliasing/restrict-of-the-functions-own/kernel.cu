// Parameters that say nothing, and pointers of the function's own that are __restrict__.
#include <cuda_runtime.h>


// pipelinify: launch running_sums
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     1
//   block    64
//   x:       in  [tiles * 64 + 1]
//   y:       out [tiles * 64 + 1]
//   tiles:   tiles
__global__ void running_sums(const float *x, float *y, int tiles)
{
    __shared__ float s[64];
    const float *__restrict__ from = x;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        s[threadIdx.x] = from[k * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)((j + threadIdx.x) % 5);
        y[k * 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}

// Two halves of one buffer.
// pipelinify: launch halves
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     1
//   block    64
//   buffer:  inout [2 * tiles * 64 + 1]
//   tiles:   tiles
__global__ void halves(float *buffer, int tiles)
{
    __shared__ float s[64];
    const float *__restrict__ const lower = buffer;
    float *__restrict__ const upper = buffer + tiles * 64;
    for (int k = 0; k < tiles; ++k) {
        s[threadIdx.x] = lower[k * 64 + threadIdx.x];
        __syncthreads();
        float sum = 0.f;
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)((j ^ threadIdx.x) % 7);
        upper[k * 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
