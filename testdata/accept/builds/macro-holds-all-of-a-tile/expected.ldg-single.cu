// All that is done for a tile stands in a macro, as a statement.
// pipelinify: launch row_energy
//   sizes    rows=1,3 n=0,1,63,64,65,128,200
//   target   rows=4096 n=8192
//   grid     rows
//   block    64
//   x:       in [rows * n + 1] random
//   y:       out [rows * 64]
//   n:       n
#include <cuda_runtime.h>

#define SPAN 64
#define ADD_SPAN(from, left)                                                       \
    do {                                                                           \
        span[tid] = tid < (left) ? (from)[tid] : 0.0f; /* zeros behind the row */  \
        __syncthreads();                                                           \
        for (int i = 0; i < SPAN; ++i)                                             \
            energy += span[i] * span[(i + tid) % SPAN];                            \
        __syncthreads();                                                           \
    } while (0)

__global__ void row_energy(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    const int tid = threadIdx.x;
    const float *row = x + (size_t)blockIdx.x * n;
    float energy = 0.0f;
    // pipelinify: ldg-single, 1 stage, source c9278c5c
    int at = 0;
    if (at < n) {
        span[tid] = tid < (n - at) ? (row + at)[tid] : 0.0f; /* zeros behind the row */
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            float span_next = tid < (n - at) ? (row + at)[tid] : 0.0f; /* zeros behind the row */
            for (int i = 0; i < SPAN; ++i)
                energy += span[i] * span[(i + tid) % SPAN];
            __syncthreads();
            span[tid] = span_next;
            __syncthreads();
        }
        for (int i = 0; i < SPAN; ++i)
            energy += span[i] * span[(i + tid) % SPAN];
    }
    y[blockIdx.x * SPAN + tid] = energy;
}
