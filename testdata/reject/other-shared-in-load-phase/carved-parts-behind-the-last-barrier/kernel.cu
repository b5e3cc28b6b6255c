// Sums of the threads lie in dynamic shared memory behind the tile, and are read behind
// the last barrier: no cell of the tile is, and there is no race.
#include <cuda_runtime.h>

extern __shared__ float smem[];

__global__ void sums_behind(const float *__restrict__ x, float *__restrict__ out, int n)
{
    float *tile = smem, *sums = smem + 64;
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        tile[t] = x[k * 64 + t];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ t);
        sums[t] = sum;
        __syncthreads();
        sum += sums[63 - t];
    }
    out[t] = sum;
}

struct layout {
    float tile[64];
    float sums[64];
};

__global__ void sums_beside(const float *__restrict__ x, float *__restrict__ out, int n)
{
    layout &l = *reinterpret_cast<layout *>(smem);
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        l.tile[t] = x[k * 64 + t];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += l.tile[i] * (i ^ t);
        l.sums[t] = sum;
        __syncthreads();
        sum += l.sums[63 - t];
    }
    out[t] = sum;
}

// As the note says.
__global__ void sums_apart(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float sums[64];
    float *tile = smem;
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        tile[t] = x[k * 64 + t];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ t);
        sums[t] = sum;
        __syncthreads();
        sum += sums[63 - t];
    }
    out[t] = sum;
}
