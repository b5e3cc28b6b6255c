// A comparison of a negative number with an unsigned one, and a choice between two
// types, decide how much is staged.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch guarded_halo
//   sizes rows=0,1,2,4
//   target rows=4096
//   grid   1
//   block  160
//   src:   in  [rows * 640] random
//   dst:   out [160]
//   rows:  rows
__global__ void __launch_bounds__(160)
guarded_halo(const float *__restrict__ src, float *__restrict__ dst, int rows)
{
    __shared__ __align__(16) float strip_stage[2][640];
    const int t = threadIdx.x;
    const int halo = -3;
    const int cells = halo < (int)sizeof(float) && !(halo < sizeof(float)) ? 640 : 160;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 6153e2c3
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 160 && (size_t)src % 16 == 0;
    int row_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < rows) {
            if (joined) {
                for (int i = 4 * t; i < cells; i += 4 * 160)
                    __pipeline_memcpy_async(&strip_stage[load_stage][i], &src[row_load * 640 + i],
                                            16);
            } else {
                for (int i = t; i < cells; i += 160)
                    __pipeline_memcpy_async(&strip_stage[load_stage][i], &src[row_load * 640 + i],
                                            sizeof(float));
            }
            ++row_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int row = 0; row < rows; ++row) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 640; ++i)
            sum += strip_stage[stage][i] * (float)((i + t) % 5);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    dst[t] = sum;
}

// pipelinify: launch chosen_length
//   sizes rows=0,1,2,4
//   target rows=4096
//   grid   1
//   block  160
//   src:   in  [rows * 640] random
//   dst:   out [160]
//   rows:  rows
__global__ void __launch_bounds__(160)
chosen_length(const float *__restrict__ src, float *__restrict__ dst, int rows)
{
    __shared__ __align__(16) float strip_stage[2][640];
    const int t = threadIdx.x;
    const bool signed_too = true;
    int length = (signed_too ? -1 : 0u) > 5 ? 480 : 320; // unsigned, so 480
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 74608204
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 160 && (size_t)src % 16 == 0;
    int row_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < rows) {
            if (joined) {
                for (int i = 4 * t; i < length; i += 4 * 160)
                    __pipeline_memcpy_async(&strip_stage[load_stage][i], &src[row_load * 640 + i],
                                            16);
            } else {
                for (int i = t; i < length; i += 160)
                    __pipeline_memcpy_async(&strip_stage[load_stage][i], &src[row_load * 640 + i],
                                            sizeof(float));
            }
            ++row_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int row = 0; row < rows; ++row) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 480; ++i)
            sum += strip_stage[stage][i] * (float)((i + t) % 7);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    dst[t] = sum;
}
