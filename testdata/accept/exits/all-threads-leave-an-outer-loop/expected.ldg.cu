// An outer loop that the whole block leaves at once: the same threads come to the tiles each time.
#include <cuda_runtime.h>

// pipelinify: launch groups
//   sizes  n=0,1,3,5
//   target n=512
//   grid   1
//   block  64
//   n:     n
//   a:     in  [n * 128 + 64] random
//   out:   out [64]
__global__ void groups(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float part_stage[2][64];
    const int x = threadIdx.x;
    float s = 0.0f;

    for (int g = 0;; ++g) {
        if (g >= n)
            break;
        if (x < 40)
            s += 1.0f;
        // pipelinify: ldg, 2 stages, source d85c2bad
        int h = 0, stage = 0;
        part_stage[0][x] = a[(g * 2 + h) * 64 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++h; h < 2; ++h) {
            float part_next = a[(g * 2 + h) * 64 + x];
            for (int k = 0; k < 64; ++k)
                s += part_stage[stage][k] * (k & 7);
            stage ^= 1;
            part_stage[stage][x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            s += part_stage[stage][k] * (k & 7);
        __syncthreads();
    }

    out[x] = s;
}
