#include <cuda_runtime.h>

#define T 64

// Names of inner blocks, members and names that the loop does not use under
// another meaning may be hidden; a type that compute alone uses may be local.
// pipelinify: launch sums
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
struct Pair {
    float value, scale;
};

__global__ void sums(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    __shared__ float s_stage[2][T];
    const int t = threadIdx.x;
    const int column = 5;
    Pair total = {0.0f, 1.0f};
    // pipelinify: ldg, 2 stages, source 058d5f63
    int k = 0, stage = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            const int column = t ^ 3;
            total.scale *= 0.5f;
            using Sum = float;
            Sum value = 0.0f;
            for (int j = 0; j < T; ++j) {
                const int t = j ^ column;
                value += s_stage[stage][t];
            }
            total.value += value * total.scale;
        };
        {
            const int column = t ^ 3;
            s_stage[0][t] = x[k * T + column];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            const int column = t ^ 3;
            float s_next = x[k * T + column];
            compute_tile();
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[t] = total.value + column;
}
