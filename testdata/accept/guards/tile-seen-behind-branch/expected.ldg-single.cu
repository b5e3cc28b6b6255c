// What follows an #endif, or stands in another one inside the branch, names the tile of
// any build: it keeps its name, and its one buffer.
#include <cuda_runtime.h>

// pipelinify: launch sums_and_last
//   sizes    n=0,1,127,128,129,300,1000
//   target   n=4000000
//   grid     2
//   block    128
//   x:       in  [n + 1] range(-1, 1)
//   y:       out [2 * 128]
//   n:       n
__global__ void sums_and_last(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float total = 0.f;
#if !defined(ONE_TILE)
    __shared__ float part[128];
    part[threadIdx.x] = 1.f;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 5746b6d4
    int i = 0;
    if (i < n) {
        part[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 128; i < n; i += 128) {
            float part_next = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
            for (int j = 0; j <= threadIdx.x; ++j)
                total += part[j];
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int j = 0; j <= threadIdx.x; ++j)
            total += part[j];
        __syncthreads();
    }
#else
    __shared__ float part[64];
    part[threadIdx.x & 63] = total;
    __syncthreads();
#endif
    y[blockIdx.x * 128 + threadIdx.x] = total + part[threadIdx.x & 31];
}

// pipelinify: launch sums_and_trace
//   sizes    n=0,1,127,128,129,300,1000
//   target   n=4000000
//   grid     2
//   block    128
//   x:       in  [n + 1] range(-1, 1)
//   y:       out [2 * 128]
//   n:       n
__global__ void sums_and_trace(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float total = 0.f;
#if !defined(ONE_TILE)
    __shared__ float part[128];
    // pipelinify: ldg-single, 1 stage, source 5746b6d4
    int i = 0;
    if (i < n) {
        part[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 128; i < n; i += 128) {
            float part_next = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
            for (int j = 0; j <= threadIdx.x; ++j)
                total += part[j];
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int j = 0; j <= threadIdx.x; ++j)
            total += part[j];
        __syncthreads();
    }
#ifdef TRACE
    total += 1e-6f * part[3];
#endif
#endif
    y[blockIdx.x * 128 + threadIdx.x] = total;
}
