// A histogram's bins are padded by what a byte holds of a negative number, and a row
// is cut to what a short holds of its length.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch padded_bins
//   sizes rows=0,1,2,5
//   target rows=4096
//   grid   2
//   block  128
//   counts: in  [rows * 700] random
//   out:    out [2 * 128]
//   rows:   rows
__global__ void __launch_bounds__(128)
padded_bins(const float *__restrict__ counts, float *__restrict__ out, int rows)
{
    __shared__ __align__(16) float bins_stage[2][700];
    const int t = threadIdx.x;
    int margin = -100;
    int padded = 512 + (unsigned char)margin; // 512 + 156
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source e7ec0b34
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (size_t)counts % 16 == 0;
    int row_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < rows) {
            if (joined) {
                for (int b = 4 * t; b < padded; b += 4 * 128)
                    __pipeline_memcpy_async(&bins_stage[load_stage][b], &counts[row_load * 700 + b],
                                            16);
            } else {
                for (int b = t; b < padded; b += 128)
                    __pipeline_memcpy_async(&bins_stage[load_stage][b], &counts[row_load * 700 + b],
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
        for (int b = 0; b < 668; ++b)
            sum += bins_stage[stage][b] * (float)((b ^ t) & 15);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 128 + t] = sum;
}

// pipelinify: launch cut_rows
//   sizes rows=0,1,3,4
//   target rows=4096
//   grid   1
//   block  128
//   in:    in  [rows * 1024] random
//   out:   out [128]
//   rows:  rows
__global__ void __launch_bounds__(128)
cut_rows(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ __align__(16) float line_stage[2][1024];
    const int t = threadIdx.x;
    short length = 66464; // 928
    signed char skipped = 200; // -56
    float best = -1.0e30f;
    // pipelinify: cp.async, 2 stages, source 889d2010
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (size_t)in % 16 == 0;
    int row_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < rows) {
            if (joined) {
                for (int i = 4 * t; i < length + skipped; i += 4 * 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[row_load * 1024 + i],
                                            16);
            } else {
                for (int i = t; i < length + skipped; i += 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[row_load * 1024 + i],
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
        for (int i = 0; i < 872; ++i)
            best = fmaxf(best, line_stage[stage][i] - (float)((i + t) & 31));
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = best;
}
