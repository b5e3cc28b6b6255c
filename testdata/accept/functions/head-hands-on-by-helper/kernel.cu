// The block's best goes to all threads by a helper, between the barrier that begins the body and the loads.
#include <cuda_runtime.h>

__device__ void announce(float *board, float value, bool speaker)
{
    if (speaker)
        *board = value;
}

// pipelinify: launch leader
//   sizes  chunks=0,1,2,3,8
//   target chunks=8192
//   grid   1
//   block  128
//   data:  in  [chunks * 128] random
//   best:  out [128]
//   chunks: chunks
__global__ void leader(const float *__restrict__ data, float *__restrict__ best, int chunks)
{
    __shared__ float chunk[128];
    __shared__ float board;
    const int id = threadIdx.x;
    float top = -1.0f;
    if (id == 0)
        board = 0.0f;

    for (int c = 0; c < chunks; ++c) {
        __syncthreads();
        announce(&board, top, id == c % 128);
        __syncthreads();
        chunk[id] = data[c * 128 + id];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            top = fmaxf(top, chunk[i] * (1.0f - 0.001f * abs(i - id)) - 0.125f * board);
    }

    best[id] = top;
}
