// A population in global memory: each member looks at another one ahead of the tile, and moves behind it.
#include <cuda_runtime.h>

// pipelinify: launch drift
//   sizes  steps=0,1,2,5
//   target steps=8192
//   grid   1
//   block  64
//   pushes: in    [steps * 64] random
//   place:  inout [64] random
//   steps:  steps
__global__ void drift(const float *__restrict__ pushes, float *place, int steps)
{
    __shared__ float push[64];
    const int me = threadIdx.x;

    // pipelinify: ldg-single, 1 stage, source b383e0fa
    int s = 0;
    if (s < steps) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float other = place[(me + 17) % 64];
            __syncthreads();
            float all = 0.0f;
            for (int k = 0; k < 64; ++k)
                all += push[k] * push[(k + me) % 64];
            place[me] = 0.9f * other + 0.01f * all;
        };
        push[me] = pushes[s * 64 + me];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++s; s < steps; ++s) {
            float push_next = pushes[s * 64 + me];
            compute_tile();
            __syncthreads();
            push[me] = push_next;
            __syncthreads();
        }
        compute_tile();
    }
}
