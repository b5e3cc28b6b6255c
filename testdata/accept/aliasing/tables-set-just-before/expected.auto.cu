// What other threads set ahead of the loop is first looked at behind its first barrier.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TPB 64

// One of the threads reads how long the rows are: the first piece of a row is there anyhow.
// pipelinify: launch row_sums
//   sizes   rows=1,3 width=1,2,63,64,65,128,200,260,448,520
//   target  rows=4096 width=4096
//   grid    rows
//   block   TPB
//   let     TPB = 64
//   x:      in  [rows * width] range(-1, 1)
//   widths: in  [rows] below(width + 1)
//   out:    out [rows * TPB]
//   pitch:  width
__global__ void row_sums(const float *__restrict__ x, const int *__restrict__ widths, float *__restrict__ out,
                         int pitch)
{
    __shared__ float piece_stage[2][TPB];
    __shared__ int width;
    if (threadIdx.x == TPB - 1)
        width = widths[blockIdx.x] < pitch ? widths[blockIdx.x] : pitch;
    float sum = 0.f;
    int from = 0;
    // pipelinify: ldg, 2 stages, source f2373d22
    int stage = 0;
    {
        const int at = from + threadIdx.x;
        piece_stage[0][threadIdx.x] = at < pitch ? x[blockIdx.x * pitch + at] : 0.f;
        from += TPB;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (from < width) {
        const int at = from + threadIdx.x;
        float piece_next = at < pitch ? x[blockIdx.x * pitch + at] : 0.f;
        for (int k = 0; k < TPB; ++k)
            sum += piece_stage[stage][(k + threadIdx.x) % TPB] * (k + 1);
        stage ^= 1;
        piece_stage[stage][threadIdx.x] = piece_next;
        from += TPB;
        __syncthreads();
    }
    for (int k = 0; k < TPB; ++k)
        sum += piece_stage[stage][(k + threadIdx.x) % TPB] * (k + 1);
    out[blockIdx.x * TPB + threadIdx.x] = sum;
}

// Samples that are thinned out: how far it is to the next window is worked out by one thread.
// pipelinify: launch thinned
//   sizes  n=0,1,64,65,127,128,129,300,1000
//   target n=1000000
//   grid   1
//   block  TPB
//   let    TPB = 64
//   x:     in  [n + 1] range(-1, 1)
//   rate:  in  [1] const(2)
//   out:   out [TPB]
//   n:     n
__global__ void thinned(const float *__restrict__ x, const int *__restrict__ rate, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float window_stage[stages][TPB];
    __shared__ int stride;
    if (threadIdx.x == TPB - 1)
        stride = TPB * rate[0];
    float sum = 0.f;
    int at = 0;
    // pipelinify: cp.async, 8 stages, source ca60e5d4
    int at_load = at, stage = 0;
    if (at_load < n) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x], &x[at_load + threadIdx.x], sizeof(float),
                                    (at_load + threadIdx.x < n) ? 0 : sizeof(float));
            at_load += stride;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (at < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < TPB; ++k)
            sum += window_stage[stage][k] * ((k ^ threadIdx.x) & 7);
        at += stride;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// A row of blocks: the one on the diagonal comes first, the others are in a list.
// pipelinify: launch diagonal_first
//   sizes  others=-1,0,1,2,3,5,9,64 blocks=1,3
//   target others=63 blocks=1024
//   grid   blocks
//   block  TPB
//   let    TPB = 64
//   x:     in  [blocks * TPB] range(-1, 1)
//   list:  in  [blocks * TPB] below(blocks)
//   out:   out [blocks * TPB]
//   others: others
__global__ void diagonal_first(const float *__restrict__ x, const int *__restrict__ list, float *__restrict__ out,
                               int others)
{
    __shared__ float part_stage[2][TPB];
    __shared__ int columns[TPB];
    columns[threadIdx.x] = list[blockIdx.x * TPB + threadIdx.x];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source d88d23ee
    int b = -1, stage = 0;
    if (b < others) {
        {
            int column = blockIdx.x;
            if (b >= 0)
                column = columns[b];
            part_stage[0][threadIdx.x] = x[column * TPB + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++b; b < others; ++b) {
            int column = blockIdx.x;
            if (b >= 0)
                column = columns[b];
            float part_next = x[column * TPB + threadIdx.x];
            for (int k = 0; k < TPB; ++k)
                sum += part_stage[stage][k] * (k - (int)threadIdx.x);
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < TPB; ++k)
            sum += part_stage[stage][k] * (k - (int)threadIdx.x);
    }
    out[blockIdx.x * TPB + threadIdx.x] = sum;
}

// A ring in memory that the block scales itself: each thread begins with its own sample.
// pipelinify: launch ring
//   sizes  turns=0,1,2,3,4,7,64 rings=1,2
//   target turns=64 rings=4096
//   grid   rings
//   block  TPB
//   let    TPB = 64
//   x:     inout [rings * TPB] range(-1, 1)
//   out:   out   [rings * TPB]
//   turns: turns
__global__ void ring(float *x, float *__restrict__ out, int turns)
{
    __shared__ float turned_stage[2][TPB];
    float *mine = x + blockIdx.x * TPB;
    float sum = 0.f;
    for (int pass = 1; pass < 3; ++pass) {
        mine[threadIdx.x] *= 0.5f * pass;
        // pipelinify: ldg, 2 stages, source 16edc49f
        int t = 0, t_tile = t, stage = 0;
        if (t < turns) {
            turned_stage[0][threadIdx.x] = mine[(threadIdx.x + t) % TPB];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++t; t < turns; ++t) {
                float turned_next = mine[(threadIdx.x + t) % TPB];
                for (int k = 0; k < TPB; ++k)
                    sum += turned_stage[stage][k] * ((k * t_tile + 1) & 3);
                ++t_tile;
                stage ^= 1;
                turned_stage[stage][threadIdx.x] = turned_next;
                __syncthreads();
            }
            for (int k = 0; k < TPB; ++k)
                sum += turned_stage[stage][k] * ((k * t_tile + 1) & 3);
            __syncthreads();
        }
        __syncthreads();
    }
    out[blockIdx.x * TPB + threadIdx.x] = sum;
}
