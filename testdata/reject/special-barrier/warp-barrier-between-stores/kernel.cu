#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define TILE 32

/* Blocks of one warp. The tile is cleared before a lane's sample goes to the bin
 * of another lane: the warp's barrier stands between the two. */
__global__ void binned_sums(const float *__restrict__ in, const int *__restrict__ bin,
                            float *__restrict__ sums, int n)
{
    __shared__ float part[TILE];
    const int mine = bin[threadIdx.x];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = 0.0f;
        __syncwarp();
        part[mine] = in[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

/* The same by a group, the last lane's sample replaced. */
__global__ void patched_sums(const float *__restrict__ in, float *__restrict__ sums, int n)
{
    __shared__ float part[TILE];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        warp.sync();
        if (threadIdx.x == 0)
            part[TILE - 1] = in[i] * 0.5f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

/* In a function that fills the tile. */
__device__ void fill(float *part, const float *in)
{
    part[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0)
        part[TILE - 1] = in[0] * 0.5f;
}

__global__ void filled_sums(const float *__restrict__ in, float *__restrict__ sums, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        fill(part, in + i);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

/* Two tiles, each stored to on one side of the barrier alone. */
__global__ void paired_sums(const float *__restrict__ in, const float *__restrict__ weight,
                            float *__restrict__ sums, int n)
{
    __shared__ float part[TILE], factor[TILE];
    float sum = 0.0f;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncwarp();
        factor[threadIdx.x] = weight[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k] * factor[k ^ threadIdx.x];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
