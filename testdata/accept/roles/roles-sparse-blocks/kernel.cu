// Tiles that a mask passes over, and a loop that asks behind its tile: both roles look for the next tile by themselves.
#include <cuda_runtime.h>

// pipelinify: launch masked
//   sizes  tiles=0,1,2,6,13
//   grid   2
//   block  96
//   x:     in  [2 * tiles * 96 + 1]
//   mask:  in  [tiles + 1] below(2)
//   out:   out [2 * 96]
//   tiles: tiles
__global__ void masked(const float *__restrict__ x, const int *__restrict__ mask, float *__restrict__ out, int tiles)
{
    __shared__ float tile[96];
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        if (!mask[k])
            continue;
        tile[threadIdx.x] = x[(blockIdx.x * tiles + k) * 96 + threadIdx.x];
        __syncthreads();
        sum += tile[95 - threadIdx.x] * (k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 96 + threadIdx.x] = sum;
}

// pipelinify: launch at_least_one
//   sizes  n=1,64,65,200
//   grid   1
//   block  64
//   x:     in  [n]
//   out:   out [64]
//   n:     n
__global__ void at_least_one(const int *__restrict__ x, int *__restrict__ out, int n)
{
    __shared__ int tile[64];
    int at = 0, sum = 0;
    do {
        tile[threadIdx.x] = at + (int)threadIdx.x < n ? x[at + threadIdx.x] : 0;
        __syncthreads();
        sum = 3 * sum + tile[(threadIdx.x + 1) % 64];
        __syncthreads();
        at += 64;
    } while (at < n);
    out[threadIdx.x] = sum + at;
}

void run(const float *x, const int *mask, float *out, const int *y, int *z, int n)
{
    masked<<<2, 96>>>(x, mask, out, n);
    at_least_one<<<1, 64>>>(y, z, n);
}
