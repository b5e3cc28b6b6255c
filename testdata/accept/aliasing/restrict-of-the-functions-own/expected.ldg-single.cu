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
    // pipelinify: ldg-single, 1 stage, source 762a43eb
    int k = 0, k_tile = k;
    if (k < tiles) {
        s[threadIdx.x] = from[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = from[k * 64 + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                sum += s[j] * (float)((j + threadIdx.x) % 5);
            y[k_tile * 64 + threadIdx.x] = sum;
            ++k_tile;
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)((j + threadIdx.x) % 5);
        y[k_tile * 64 + threadIdx.x] = sum;
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
    // pipelinify: ldg-single, 1 stage, source 93cc32d5
    int k = 0, k_tile = k;
    if (k < tiles) {
        auto compute_tile = [&]() {
            float sum = 0.f;
            for (int j = 0; j < 64; ++j)
                sum += s[j] * (float)((j ^ threadIdx.x) % 7);
            upper[k_tile * 64 + threadIdx.x] = sum;
        };
        s[threadIdx.x] = lower[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = lower[k * 64 + threadIdx.x];
            compute_tile();
            ++k_tile;
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
}
