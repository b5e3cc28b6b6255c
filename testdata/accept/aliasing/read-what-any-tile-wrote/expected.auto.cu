// Ragged last tiles: what the guard of a store asks follows from where a cell is read, by the
// cell's own number.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define CHUNK 128

// How long a row of threads is, the caller says: whatever a thread's number comes to, the cell
// has it, and so has the guard.
//
// pipelinify: launch sums_by_rows
//   sizes    n=0,1,127,128,129,300,512,640,700
//   target   n=65536
//   grid     2
//   block    16, 8
//   x:       in  [n + 1]
//   y:       out [256]
//   n:       n
//   row:     16
__global__ void sums_by_rows(const float *__restrict__ x, float *__restrict__ y, int n, unsigned row)
{
    constexpr int stages = 8;
    __shared__ float chunk_stage[stages][CHUNK];
    const int t = threadIdx.y * row + threadIdx.x;
    float acc = 0.f;
    // pipelinify: cp.async, 8 stages, source f3707faa
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (t < CHUNK && k_load + t < n)
                __pipeline_memcpy_async(&chunk_stage[load_stage][t], &x[k_load + t], sizeof(float));
            k_load += CHUNK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += CHUNK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int count = min(CHUNK, n - k);
        for (int i = 0; i < count; ++i)
            acc += chunk_stage[stage][i] * (i ^ t);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * CHUNK + t] = acc;
}

// Every second cell, by a counter that moves between its test and the read.
//
// pipelinify: launch odd_cells
//   sizes    n=0,1,2,127,128,129,130,300,513
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void odd_cells(const float *__restrict__ x, float *__restrict__ y, long n)
{
    constexpr int stages = 8;
    __shared__ float chunk_stage[stages][CHUNK];
    float acc = 0.f;
    // pipelinify: cp.async, 8 stages, source d78a2afa
    long k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int t = threadIdx.x; t < CHUNK; t += 64) {
                if (k_load + t >= n)
                    continue;
                __pipeline_memcpy_async(&chunk_stage[load_stage][t], &x[k_load + t], sizeof(float));
            }
            k_load += CHUNK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (long k = 0; k < n; k += CHUNK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        int count = CHUNK;
        if (k + CHUNK > n)
            count = n - k;
        for (int i = 0; i < count - 1; ++i) {
            ++i;
            acc += chunk_stage[stage][i] * (i ^ threadIdx.x);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = acc;
}

// Rows of so many numbers as the caller says, one after the other, from the last to the first.
//
// pipelinify: launch rows_backwards
//   sizes    n=0,1,15,16,17,40,64 wide=1,3,8
//   target   n=65536 wide=8
//   grid     1
//   block    32
//   x:       in  [n * wide + 1]
//   y:       out [32]
//   n:       n
//   wide:    wide
__global__ void rows_backwards(const float *__restrict__ x, float *__restrict__ y, int n, int wide)
{
    constexpr int stages = 8;
    __shared__ float rows_stage[stages][16 * 8];
    float acc = 0.f;
    // pipelinify: cp.async, 8 stages, source 0614890d
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            const int here = n - k_load < 16 ? n - k_load : 16;
            for (int i = threadIdx.x; i < here * wide; i += 32)
                __pipeline_memcpy_async(&rows_stage[load_stage][i], &x[k_load * wide + i], sizeof(float));
            k_load += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int here = n - k < 16 ? n - k : 16;
        for (int c = 0; c < wide; ++c)
            for (int r = here - 1; r >= 0; --r)
                acc = acc * 0.5f + rows_stage[stage][r * wide + c] * (c + 1 + threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = acc;
}
