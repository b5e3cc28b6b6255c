#include <cuda_runtime.h>

#define T 32

// The best score of each query so far, and where it was found. The place is kept
// by a lambda that is handed the tile: it is in the only buffer there is.
//
// pipelinify: launch best_scores
//   sizes  n=0,32,64,160
//   target n=65536
//   block  32
//   keys:  in  [n + 1]
//   score: out [32]
//   last:  out [32]
//   n:     n
__global__ void best_scores(const float *__restrict__ keys, float *__restrict__ score,
                            float *__restrict__ last, int n)
{
    __shared__ float tile[T];
    const float weight = 1.f + threadIdx.x;
    float best = -1e30f;
    const float *where = nullptr;

    auto consider = [&](const float *row, int i) {
        const float s = row[i] * weight;
        if (s > best) {
            best = s;
            where = &row[i];
        }
    };

    // pipelinify: ldg-single, 1 stage, source dccd371d
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = keys[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float tile_next = keys[k + threadIdx.x];
            for (int i = 0; i < T; ++i)
                consider(tile, i);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            consider(tile, i);
        __syncthreads();
    }
    score[threadIdx.x] = best;
    last[threadIdx.x] = where ? *where : 0.f;
}
