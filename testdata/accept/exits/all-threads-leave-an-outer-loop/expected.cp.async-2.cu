// An outer loop that the whole block leaves at once: the same threads come to the tiles each time.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
        // pipelinify: cp.async, 2 stages, source d85c2bad
        int h_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (h_load < 2) {
                __pipeline_memcpy_async(&part_stage[load_stage][x], &a[(g * 2 + h_load) * 64 + x],
                                        sizeof(float));
                ++h_load;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int h = 0; h < 2; ++h) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < 64; ++k)
                s += part_stage[stage][k] * (k & 7);
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    out[x] = s;
}
