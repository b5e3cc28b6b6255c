// Tiles of the warps' own: their threads wait for each other alone, and the loops stay.
#include <cuda_runtime.h>

// Each warp has a row of the tile, and rows of the matrix of its own length.
__global__ void __launch_bounds__(128)
ragged_rows(const float *__restrict__ a, const int *__restrict__ lengths, float *__restrict__ y, int ld)
{
    __shared__ float part[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.x * 4 + warp;
    float sum = 0.0f;
    for (int k = 0; k < lengths[row]; k += 32) {
        part[warp][lane] = a[(size_t)row * ld + k + lane];
        __syncwarp();
        for (int i = 0; i < 32; ++i)
            sum += part[warp][i] * part[warp][i ^ lane];
        __syncwarp();
    }
    y[blockIdx.x * 128 + threadIdx.x] = sum;
}

// One warp is the whole block; nothing says so.
__global__ void one_warp(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[32];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        part[lane] = a[k + lane];
        __syncwarp();
        for (int i = 0; i < 32; ++i)
            sum += part[i] * part[i ^ lane];
        __syncwarp();
    }
    y[blockIdx.x * 32 + lane] = sum;
}

// The same with a barrier of the block.
__global__ void whole_block(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[32];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        part[lane] = a[k + lane];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += part[i] * part[i ^ lane];
        __syncthreads();
    }
    y[blockIdx.x * 32 + lane] = sum;
}
