// Builds choose in a header what a day of readings is, and how it is read: the rewritten
// text is the same for each. What is chosen for the host has no say.
#include <cstdio>
#include "readings.h"

// pipelinify: launch levels
//   sizes  days=0,1,2,3,6
//   target days=4096
//   block  PER_DAY
//   let    PER_DAY = 64
//   in:    in  [days * 128] random
//   out:   out [PER_DAY]
//   days:  days
__global__ void __launch_bounds__(PER_DAY)
levels(const float *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[PER_DAY];
    const int t = threadIdx.x;
    float level = 0.f;
    // pipelinify: ldg-single, 1 stage, source f7eee087
    int d = 0;
    if (d < days) {
        day[t] = cached(in + d * kStride + t);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++d; d < days; ++d) {
            float day_next = cached(in + d * kStride + t);
            for (int j = 0; j < PER_DAY; ++j)
                level += day[j] * day[j ^ t];
            __syncthreads();
            day[t] = day_next;
            __syncthreads();
        }
        for (int j = 0; j < PER_DAY; ++j)
            level += day[j] * day[j ^ t];
    }
    out[t] = level;
}

void run(const float *in, float *out, int days)
{
    levels<<<1, PER_DAY>>>(in, out, days);
    LAUNCHED("levels");
}
