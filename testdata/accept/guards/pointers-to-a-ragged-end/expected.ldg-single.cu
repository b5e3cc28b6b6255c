// The loop ends where the thread's own pointer passes the end of the row.
#include <cuda_runtime.h>

// pipelinify: launch echo
//   sizes  n=32,33,64,95
//   target n=65536
//   grid   1
//   block  32
//   n:     n
//   row:   in  [n] random
//   sums:  out [32]
__global__ void echo(int n, const float *__restrict__ row, float *__restrict__ sums)
{
    __shared__ float part[32];
    const int lane = threadIdx.x;
    const float *end = row + n;
    float s = 0.0f;

    // pipelinify: ldg-single, 1 stage, source fcf8ce79
    const float *at = row + lane;
    if (at < end) {
        part[lane] = *at;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 32; at < end; at += 32) {
            float part_next = *at;
            for (int k = 0; k < 32; ++k)
                s += part[k] * (k ^ lane);
            __syncthreads();
            part[lane] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 32; ++k)
            s += part[k] * (k ^ lane);
    }

    sums[lane] = s;
}
