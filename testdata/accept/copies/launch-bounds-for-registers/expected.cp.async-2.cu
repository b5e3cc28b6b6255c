// Row sums of squares, with headers of every kind: without bounds, with threads alone, as
// a number and as an expression, with blocks too, for a template, and for a kernel that
// leaves its loop to a function.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define WIDTH 64

// pipelinify: launch plain
//   sizes    rows=1,3 n=0,64,192
//   target   rows=132 n=8192
//   grid     rows
//   block    64
//   x:       in    [rows * n]  random
//   out:     out   [rows]
//   n:       n
__global__ void plain(const float *x, float *out, int n);

__global__ __launch_bounds__(1024, 1) void plain(const float *x, float *out, int n)
{
    __shared__ float tile_stage[2][WIDTH];
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source a52d4d43
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            k_load += WIDTH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += WIDTH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < WIDTH; ++i)
            sum += tile_stage[stage][i] * tile_stage[stage][i];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// pipelinify: launch threads_alone
//   sizes    rows=1,3 n=0,64,192
//   target   rows=132 n=8192
//   grid     rows
//   block    64
//   x:       in    [rows * n]  random
//   out:     out   [rows]
//   n:       n
extern "C" __global__ void __launch_bounds__(64, 16) threads_alone(const float *x, float *out, int n)
{
    __shared__ float tile_stage[2][WIDTH];
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 29d78db1
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            k_load += WIDTH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += WIDTH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < WIDTH; ++i)
            sum += fabsf(tile_stage[stage][i]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// pipelinify: launch threads_and_blocks
//   sizes    rows=1,3 n=0,64,192
//   target   rows=132 n=8192
//   grid     rows
//   block    64
//   x:       in    [rows * n]  random
//   out:     out   [rows]
//   n:       n
static __global__ __launch_bounds__(WIDTH, 4) void threads_and_blocks(const float *x, float *out, int n)
{
    __shared__ float tile_stage[2][WIDTH];
    const float *row = x + blockIdx.x * n;
    float most = 0.0f;
    // pipelinify: cp.async, 2 stages, source 88085067
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            k_load += WIDTH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += WIDTH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < WIDTH; ++i)
            most = fmaxf(most, tile_stage[stage][i]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = most;
}

// pipelinify: launch of_a_template<32, 2>
//   sizes    rows=1,3 n=0,64,192
//   target   rows=132 n=8192
//   grid     rows
//   block    64
//   x:       in    [rows * n]  random
//   out:     out   [rows]
//   n:       n
template <int Lanes, int Rows>
__global__ void __launch_bounds__(Lanes * Rows, 1024 / (Lanes * Rows)) of_a_template(const float *x, float *out, int n)
{
    __shared__ float tile_stage[2][Lanes * Rows];
    const float *row = x + blockIdx.x * n;
    float least = 1e30f;
    // pipelinify: cp.async, 2 stages, source 07d4f0ad
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            k_load += Lanes * Rows;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += Lanes * Rows) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < Lanes * Rows; ++i)
            least = fminf(least, tile_stage[stage][i]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = least;
}

__device__ float product_of_row(const float *row, int n)
{
    __shared__ float tile_stage[2][WIDTH];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 22475e82
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            k_load += WIDTH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += WIDTH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < WIDTH; ++i)
            sum += tile_stage[stage][i] * tile_stage[stage][WIDTH - 1 - i];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return sum;
}

// pipelinify: launch by_function
//   sizes    rows=1,3 n=0,64,192
//   target   rows=132 n=8192
//   grid     rows
//   block    64
//   x:       in    [rows * n]  random
//   out:     out   [rows]
//   n:       n
__global__ __launch_bounds__(1024, 1) void by_function(const float *x, float *out, int n)
{
    float sum = product_of_row(x + blockIdx.x * n, n);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void no_tile_loop(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 0.0f;
}
