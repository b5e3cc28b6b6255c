// Weighted sums over tiles whose places and weights are told by a namespace that the loop's body
// uses; the file uses another one that has functions of the same names.
#include <cuda_pipeline.h>

#define T 64

namespace rows {
__device__ inline int at(int t) { return t * T; }
__device__ inline float weigh(float v) { return v; }
} // namespace rows
namespace odd {
__device__ inline int at(long t) { return (int)t * T + 1; }
__device__ inline float weigh(double v) { return 2.f * (float)v; }
} // namespace odd

using namespace rows;

// pipelinify: launch weighted
//   sizes tiles=0,1,2,3,4,5,7
//   grid  2
//   block 64
//   target tiles=65536
//   x:     in  [tiles * 64 + 1] random
//   y:     out [128]
//   tiles: tiles
__global__ void weighted(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source e158ecfa
    {
        using namespace odd;
        long t_load = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (t_load < tiles) {
                __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                        &x[at(t_load) + threadIdx.x], sizeof(float));
                ++t_load;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        int stage = 0;
        // Main loop: 1 tile is in flight while computing on one.
        for (long t = 0; t < tiles; ++t) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int j = 0; j < T; ++j)
                sum += weigh((double)s_stage[stage][j]);
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
