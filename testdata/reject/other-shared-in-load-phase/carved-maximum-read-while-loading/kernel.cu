// The running maximum of each row is read beside the loads: compute wrote it before the last barrier.
#include <cuda_runtime.h>
#include <math.h>

__global__ void streaming_max(const float *__restrict__ x, float *__restrict__ out, int n, int width)
{
    extern __shared__ float smem[];
    float *tile = smem;
    float *top = smem + width;
    const int t = threadIdx.x;
    float drift = 0.f;

    top[t] = -INFINITY;
    __syncthreads();
    for (int k = 0; k < n; k += width) {
        const float before = top[width - 1 - t];
        tile[t] = x[k + t];
        __syncthreads();
        for (int i = 0; i < width; ++i)
            top[t] = fmaxf(top[t], tile[i] - (float)t);
        drift += top[t] - before;
        __syncthreads();
    }
    out[t] = drift;
}
