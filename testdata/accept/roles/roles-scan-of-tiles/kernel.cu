// Sums of tiles by a tree in shared memory: the barriers of the tree are those of the threads that compute.
#include <cuda_runtime.h>

// pipelinify: launch tree_sums
//   sizes  tiles=0,1,2,3,7
//   grid   3
//   block  128
//   x:     in  [3 * tiles * 128 + 1]
//   sums:  out [3 * tiles + 1]
//   last:  out [3]
//   seen:  inout [1]
//   tiles: tiles
__global__ void tree_sums(const int *__restrict__ x, int *__restrict__ sums, int *__restrict__ last, int *__restrict__ seen, int tiles)
{
    __shared__ int tile[128], part[64];
    __shared__ int total;
    const int t = threadIdx.x;
    // What follows changes memory: those that load do not do it.
    if (t == 0) {
        total = 7 * blockIdx.x;
        atomicAdd(seen, 1);
    }
    for (int i = t; i < 64; i += 128)
        part[i] = -1;
    __syncthreads();
    int base = total; // read by all behind the barrier
    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[(blockIdx.x * tiles + k) * 128 + t];
        __syncthreads();
        if (t < 64)
            part[t] = tile[t] + tile[127 - t];
        __syncthreads(); // the pairs are there
        if (t < 8) {
            int s = 0;
            for (int i = t; i < 64; i += 8)
                s += part[i];
            atomicAdd(&total, s);
        }
        __syncthreads();
        if (t == 0)
            sums[blockIdx.x * tiles + k] = total - base;
        __syncthreads();
    }
    if (t == 127)
        last[blockIdx.x] = total;
}

void run(const int *x, int *sums, int *last, int *seen, int tiles) { tree_sums<<<3, 128>>>(x, sums, last, seen, tiles); }
