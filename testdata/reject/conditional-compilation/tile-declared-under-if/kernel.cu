// One tile by two names of its type, as a port to other hardware has it: the
// declarations are the same to this build, and each stands under an #if.
#include <cuda_fp16.h>

#define PAIRS 64

__global__ void pair_sums(const half2 *__restrict__ rows, float *__restrict__ sums, int n)
{
#ifndef USE_OTHER_HARDWARE
    __shared__ half2 row[PAIRS];
#else
    __shared__ __half2 row[PAIRS];
#endif
    float sum = 0.0f;
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * PAIRS + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < PAIRS; ++k)
            sum += __low2float(row[k]) - __high2float(row[k]);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// Outside of it; what a build may have of the other tile says nothing of this one.
__global__ void pair_sums_plain(const half2 *__restrict__ rows, float *__restrict__ sums, int n)
{
    __shared__ half2 row[PAIRS];
#ifndef USE_OTHER_HARDWARE
    float sum = 0.0f;
#else
    float sum = 0;
#endif
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * PAIRS + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < PAIRS; ++k)
            sum += __low2float(row[k]) - __high2float(row[k]);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
