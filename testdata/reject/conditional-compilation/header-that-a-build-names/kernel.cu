// A build may name another header for what the weights are.
#ifndef WEIGHTS
#define WEIGHTS "quick.h"
#endif
#include WEIGHTS

__global__ void __launch_bounds__(64)
weighted(const weight *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        __syncthreads();
    }
    out[t] = level;
}
