// Strides and bounds of copy loops that are variables and never change: what they are set to is a constant
// of each instantiation, and so is how often a thread copies. One that does change, and one that a pointer
// leads to, are none.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch column_sums<64, 16, 256>
//   sizes   depth=0,16,32,80
//   grid    1
//   block   256
//   in:     in  [64 * depth] random
//   out:    out [256]
//   depth:  depth
template <int ROWS, int COLS, int THREADS>
__global__ void __launch_bounds__(THREADS) column_sums(const float *__restrict__ in, float *__restrict__ out, int depth)
{
    __shared__ float part[ROWS][COLS];
    int all = THREADS;
    int down = all / COLS;
    int rows = ROWS;
    int r = threadIdx.x / COLS, c = threadIdx.x % COLS;
    float sum = 0.0f;
    for (int d = 0; d < depth; d += COLS) {
        for (int from = 0; from < rows; from += down)
            part[from + r][c] = in[(from + r) * depth + d + c];
        __syncthreads();
        for (int k = 0; k < COLS; ++k)
            sum += part[threadIdx.x % ROWS][k];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template __global__ void column_sums<64, 16, 256>(const float *, float *, int);
template __global__ void column_sums<96, 32, 128>(const float *, float *, int);

// pipelinify: launch plain_sums
//   sizes   depth=0,8,16,40
//   grid    1
//   block   128
//   in:     in  [64 * depth] random
//   out:    out [128]
//   depth:  depth
__global__ void plain_sums(const float *__restrict__ in, float *__restrict__ out, int depth)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][64 * 8];
    int down = 16;
    int r = threadIdx.x / 8, c = threadIdx.x % 8;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 7f8c44cf
    int d_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d_load < depth) {
            for (int from = 0; from < 64; from += down)
                __pipeline_memcpy_async(&part_stage[load_stage][(from + r) * 8 + c],
                                        &in[(from + r) * depth + d_load + c], sizeof(float));
            d_load += 8;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int d = 0; d < depth; d += 8) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 8; ++k)
            sum += part_stage[stage][(threadIdx.x % 64) * 8 + k];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

__device__ void settle(int *stride) { *stride = 8; }

// pipelinify: launch settled_elsewhere
//   sizes   depth=0,8,16,40
//   grid    1
//   block   64
//   in:     in  [64 * depth] random
//   out:    out [64]
//   depth:  depth
__global__ void settled_elsewhere(const float *__restrict__ in, float *__restrict__ out, int depth)
{
    __shared__ float part[64 * 8];
    int down = 16;
    settle(&down);
    int r = threadIdx.x / 8, c = threadIdx.x % 8;
    float sum = 0.0f;
    for (int d = 0; d < depth; d += 8) {
        for (int from = 0; from < 64; from += down)
            part[(from + r) * 8 + c] = in[(from + r) * depth + d + c];
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            sum += part[threadIdx.x * 8 + k];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
