// Helpers that run a lambda for each element have a counter of the name that the kernel's loop, or
// what the lambda says, has too.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 96

template <class F>
__device__ void for_each(int n, F f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        f(i);
}

template <class F>
__device__ void for_rows(int rows, int columns, F &&f)
{
    for (int i = threadIdx.x / columns; i < rows; i += 32 / columns)
        f(i, threadIdx.x % columns);
}

// pipelinify: launch sums
//   sizes    n=0,1,95,96,97,300
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n + 1]
//   y:       out [2 * 32]
//   n:       n
__global__ void __launch_bounds__(32) sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float s_stage[stages][T];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 820c839d
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = T % 4 == 0 && (size_t)x % 16 == 0 && n % 4 == 0;
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            if (joined) {
                for (int i_for_each = 4 * threadIdx.x; i_for_each < (T); i_for_each += 4 * blockDim.x) {
                    int j = i_for_each;
                    __pipeline_memcpy_async(&s_stage[load_stage][j], &row[i_load + j], 16, (i_load + j < n) ? 0 : 16);
                }
            } else {
                for (int i_for_each = threadIdx.x; i_for_each < (T); i_for_each += blockDim.x) {
                    int j = i_for_each;
                    __pipeline_memcpy_async(&s_stage[load_stage][j], &row[i_load + j], sizeof(float),
                                            (i_load + j < n) ? 0 : sizeof(float));
                }
            }
            i_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s_stage[stage][(j + threadIdx.x) % T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// pipelinify: launch columns
//   sizes    n=0,12,24,72
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n * 8 + 1]
//   y:       out [32]
//   n:       n
__global__ void __launch_bounds__(32) columns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][12][8];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 13fe0e10
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            for (int i_for_rows = threadIdx.x / 8; i_for_rows < 12; i_for_rows += 32 / 8) {
                int r = i_for_rows;
                int c = threadIdx.x % 8;
                __pipeline_memcpy_async(&s_stage[load_stage][r][c], &x[(i_load + r) * 8 + c], sizeof(float));
            }
            i_load += 12;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += 12) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int r = 0; r < 12; ++r)
            sum = 0.5f * sum + s_stage[stage][r][(r + threadIdx.x) % 8];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
