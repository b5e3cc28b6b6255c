// Words that a build may fill: they stand for nothing here.
#include <cuda_runtime.h>

#ifndef GAIN
#define GAIN
#endif
#ifndef TUNED
#define TUNED
#endif

constexpr int SPAN = 64;

// pipelinify: launch filtered
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [2 * n + 1]
//   taps:    in  [(n + 63) / 64 * 64 + 1]
//   y:       out [128]
//   n:       n
__global__ void filtered(const float *__restrict__ x, const float *__restrict__ taps, float *__restrict__ y, int n)
{
    __shared__ float part[SPAN], tap[SPAN];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source c284063d
    int at = 0;
    if (at < n) {
        {
            const int i = at + threadIdx.x;
            part[threadIdx.x] = (i < n ? row[i] : 0.f) GAIN;
            const float weight = taps[i] /* as measured */ GAIN ;
            tap[threadIdx.x] = weight;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            const int i = at + threadIdx.x;
            float part_next = (i < n ? row[i] : 0.f) GAIN;
            const float weight = taps[i] /* as measured */ GAIN ;
            for (int k = 0; k < SPAN; ++k)
                sum += part[k] * tap[(k + threadIdx.x) % SPAN] TUNED;
            __syncthreads();
            part[threadIdx.x] = part_next;
            tap[threadIdx.x] = weight;
            __syncthreads();
        }
        for (int k = 0; k < SPAN; ++k)
            sum += part[k] * tap[(k + threadIdx.x) % SPAN] TUNED;
    }
    y[blockIdx.x * SPAN + threadIdx.x] = sum;
}
