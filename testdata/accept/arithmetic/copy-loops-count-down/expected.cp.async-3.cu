// Copy loops that count down where they ask, and to zero by whatever test.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define PARTS 6
#define WIDTH 32

enum { HALVES = 4 };

// pipelinify: launch down_to_zero
//   sizes n=0,192,384,576,960,1344
//   target n=393216
//   grid  2
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [2 * WIDTH]
//   n:    n
__global__ void down_to_zero(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float line_stage[stages][PARTS * WIDTH];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 8c6196b1
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            for (int p = PARTS - 1; p + 1 > 0; --p)
                __pipeline_memcpy_async(&line_stage[load_stage][p * WIDTH + t],
                                        &x[at_load + p * WIDTH + t], sizeof(float));
            at_load += PARTS * WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += PARTS * WIDTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < PARTS * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i ^ t) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * WIDTH + t] = sum;
}

// The number of halves is for no build to change; asked without a sign, the test
// would hold once more behind the end.
// pipelinify: launch asked_by_value
//   sizes n=0,128,256,384,640
//   target n=262144
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [WIDTH]
//   n:    n
__global__ void asked_by_value(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float line_stage[stages][HALVES * WIDTH];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 0348e3ad
    int n_load = n, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (n_load > 0) {
            float *to = line_stage[load_stage] + threadIdx.x;
            const float *from = x + threadIdx.x;
            int halves = HALVES;
            while (halves--) {
                __pipeline_memcpy_async(to, from, sizeof(float));
                to += WIDTH;
                from += WIDTH;
            }
            x += HALVES * WIDTH;
            n_load -= HALVES * WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (n > 0) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < HALVES * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
        n -= HALVES * WIDTH;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

// Without a sign, by a macro that another build may define otherwise: what is
// left goes on only where the counter ended the loop.
// pipelinify: launch asked_without_sign
//   sizes n=0,192,384,576,960,1344
//   target n=393216
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [WIDTH]
//   n:    n
__global__ void asked_without_sign(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float line_stage[stages][PARTS * WIDTH];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source c4b8121f
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            for (unsigned p = PARTS; p-- > 0;)
                __pipeline_memcpy_async(&line_stage[load_stage][p * WIDTH + threadIdx.x],
                                        &x[at_load + p * WIDTH + threadIdx.x], sizeof(float));
            at_load += PARTS * WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += PARTS * WIDTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < PARTS * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

// How many rows there are, the run decides: more of them than there are registers.
// pipelinify: launch asked_rows
//   sizes n=0,320,640,960,1600 rows=1,5,8,9,10
//   target n=655360 rows=10
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n + 320] random
//   y:    out [WIDTH]
//   n:    n
//   rows: rows
__global__ void asked_rows(const float *__restrict__ x, float *__restrict__ y, int n, int rows)
{
    constexpr int stages = 3;
    __shared__ float line_stage[stages][10][WIDTH];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 586d4ccf
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            int r = rows;
            while (r--)
                __pipeline_memcpy_async(&line_stage[load_stage][r][threadIdx.x],
                                        &x[at_load + r * WIDTH + threadIdx.x], sizeof(float));
            at_load += rows * WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += rows * WIDTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < rows; ++k)
            for (int i = 0; i < WIDTH; ++i)
                sum += line_stage[stage][k][i] * (float)((i + k * threadIdx.x) & 7);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
