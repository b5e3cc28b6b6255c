// A grid's group that is asked for ranks alone needs no blocks beside each other; one that
// waits behind its tile loop does: of the launches one asks the runtime how many fit.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// pipelinify: launch ranks
//   sizes lines=0,1,2,5
//   grid  3
//   block 128
//   in:   in  [lines * 1024 + 1]
//   out:  out [384]
//   lines: lines

__global__ void ranks(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    const auto grid = cg::this_grid();
    __shared__ __align__(16) float line_stage[2][1024];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source b65fb00b
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (size_t)in % 16 == 0;
    int l_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (l_load < lines) {
            if (joined) {
                for (int i = 4 * t; i < 1024; i += 4 * 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[l_load * 1024 + i], 16);
            } else {
                for (int i = t; i < 1024; i += 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[l_load * 1024 + i], sizeof(float));
            }
            ++l_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int l = 0; l < lines; ++l) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int q = 0; q < 1024; q += 64)
            sum = 0.5f * sum + line_stage[stage][q ^ t];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[grid.thread_rank()] = sum;
}

__device__ float residual[1024];

// Two phases of a solver: all blocks' sums before any is read.
__global__ void asked(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ float line_stage[2][128];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 51759f1c
    int l_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (l_load < lines) {
            __pipeline_memcpy_async(&line_stage[load_stage][t], &in[(l_load * gridDim.x + blockIdx.x) * 128 + t],
                                    sizeof(float));
            ++l_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int l = 0; l < lines; ++l) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int q = 0; q < 128; ++q)
            sum = 0.5f * sum + line_stage[stage][(q + t) % 128];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    residual[grid.thread_rank() % 1024] = sum;
    grid.sync();
    out[grid.thread_rank()] = residual[(grid.thread_rank() + 128) % 1024];
}

// The same, launched with a number of blocks that somebody has found by trying.
__global__ void tried(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ float line_stage[2][128];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 9855b0f6
    int l_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (l_load < lines) {
            __pipeline_memcpy_async(&line_stage[load_stage][t], &in[(l_load * gridDim.x + blockIdx.x) * 128 + t],
                                    sizeof(float));
            ++l_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int l = 0; l < lines; ++l) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int q = 0; q < 128; ++q)
            sum = 0.25f * sum + line_stage[stage][(q + t) % 128];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    residual[grid.thread_rank() % 1024] = sum;
    cg::sync(grid);
    out[grid.thread_rank()] = residual[(grid.thread_rank() + 128) % 1024];
}

void solve(const float *in, float *out, int lines, int multiprocessors)
{
    int blocks = 0;
    void *arguments[] = {&in, &out, &lines};
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked, 128, 0);
    cudaLaunchCooperativeKernel((void *)asked, dim3(blocks * multiprocessors), dim3(128), arguments, 0, 0);
    cudaLaunchCooperativeKernel((void *)tried, dim3(16 * multiprocessors), dim3(128), arguments, 0, 0);
}
