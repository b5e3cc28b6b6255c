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

    // pipelinify: ldg-single, 1 stage, source d3e4291c
    int c = 0, c_tile = c;
    if (c < chunks) {
        __syncthreads();
        auto compute_tile = [&]() {
            announce(&board, top, id == c_tile % 128);
            __syncthreads();
            for (int i = 0; i < 128; ++i)
                top = fmaxf(top, chunk[i] * (1.0f - 0.001f * abs(i - id)) - 0.125f * board);
        };
        chunk[id] = data[c * 128 + id];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++c; c < chunks; ++c) {
            float chunk_next = data[c * 128 + id];
            compute_tile();
            ++c_tile;
            __syncthreads();
            chunk[id] = chunk_next;
            __syncthreads();
        }
        compute_tile();
    }

    best[id] = top;
}
