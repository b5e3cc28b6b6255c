// The size may be said by the build: stages leave room for a tile of twice the size.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#ifndef ROW_BYTES
#define ROW_BYTES 8192
#endif
#define ROW (ROW_BYTES / (int)sizeof(float))

// pipelinify: launch rows
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    128
//   x:       in  [n * 2048]
//   y:       out [128]
//   n:       n
__global__ void __launch_bounds__(128) rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ __align__(16) float s_stage[2][ROW];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source d246a665
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (ROW) % 4 == 0 && (size_t)x % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < ROW; i += 4 * 128)
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &x[t_load * ROW + i], 16);
            } else {
                for (int i = threadIdx.x; i < ROW; i += 128)
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &x[t_load * ROW + i], sizeof(float));
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < ROW; k += 8)
            sum += s_stage[stage][(k + threadIdx.x) % ROW];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
