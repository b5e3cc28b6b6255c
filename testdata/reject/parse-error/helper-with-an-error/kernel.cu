// Where 'up' writes to is behind a name that this file does not have: the statement is
// no part of the tree, and the function looks as if it did nothing.
#include "lost/places.h"

__device__ void up(int &first, float sum)
{
    if (sum > 4)
        lost::places<int>(first).next();
}

// A helper's helper.
__device__ float used(int &first, float sum)
{
    up(first, sum);
    return sum;
}

__global__ void walk(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[64];
    float sum = 0;
    int first = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[first + t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * k;
        out[t] = used(first, sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
