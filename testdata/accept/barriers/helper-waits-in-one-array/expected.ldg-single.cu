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
    // pipelinify: ldg-single, 1 stage, source 055af4e9
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            const float mine = room[tx] * room[(tx + 1) % 512];
            const float sum = sum_of_block(mine, room + 512);
            if (tx == 0) {
                room[640] += sum > 0.f;
                out[k_tile] = sum;
            }
            __syncthreads();
            all += room[511 - tx] * room[640];
        };
        for (int i = tx; i < 512; i += 128)
            room[i] = x[k * 512 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float room_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 128 ? tx : 127) + slot * 128;
                room_next[slot] = x[k * 512 + i];
            }
            compute_tile();
            ++k_tile;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 128 ? tx : 127) + slot * 128;
                room[i] = room_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[n + tx] = all;
}
