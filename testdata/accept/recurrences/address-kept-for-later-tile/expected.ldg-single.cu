#include <cuda_runtime.h>

#define T 64

// 'best' points at a cell of one tile and is read in later ones, where that cell
// holds something else: another buffer would still hold the old value.
// pipelinify: launch follow
//   sizes    T=64 tiles=0,1,2,3,5,6
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void follow(const float *__restrict__ x, float *__restrict__ out,
                       int tiles)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    const float *best = nullptr;
    float largest = -2.0f, sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source ce41117f
    int k = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            for (int j = 0; j < T; ++j)
                if (s[(j + t) % T] > largest) {
                    largest = s[(j + t) % T];
                    best = &s[(j + t) % T];
                }
            sum += best ? *best : 0.0f;
        };
        s[t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            compute_tile();
            __syncthreads();
            s[t] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[t] = sum;
}
