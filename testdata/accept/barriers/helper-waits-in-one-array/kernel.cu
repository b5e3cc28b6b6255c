// Tile, partial sums and a count are one array; what keeps them apart is a helper's barriers.
#include <cuda_runtime.h>

__device__ float sum_of_block(float value, float *sums)
{
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    return sums[0];
}

// pipelinify: launch weigh
//   sizes n=0,1,2,5
//   block 128
//   x:    in  [n * 512 + 1] random
//   out:  out [n + 128]
//   n:    n
__global__ void weigh(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float room[512 + 128 + 1];
    const int tx = threadIdx.x;
    float all = 0.f;
    if (tx == 0)
        room[640] = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = tx; i < 512; i += 128)
            room[i] = x[k * 512 + i];
        __syncthreads();
        const float mine = room[tx] * room[(tx + 1) % 512];
        const float sum = sum_of_block(mine, room + 512);
        if (tx == 0) {
            room[640] += sum > 0.f;
            out[k] = sum;
        }
        __syncthreads();
        all += room[511 - tx] * room[640];
        __syncthreads();
    }
    out[n + tx] = all;
}
