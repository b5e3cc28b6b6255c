// Loops without end that are left in their midst: behind the barrier that begins a tile, before the one that ends it,
// before the step to the next one.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// The barrier stands ahead of the test, so the block waits once more when it leaves. The sum of the last tile's maxima
// is taken from shared memory behind the loop.
// pipelinify: launch row_peaks
//   sizes    n=0,1,63,64,65,127,128,129,192,200,256,449
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [2 * n]
//   out:     out [2 * 64]
//   n:       n
__global__ void row_peaks(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][T];
    __shared__ float peak[T];
    const float *row = x + blockIdx.x * n;
    float most = -1.f;
    int k = 0;
    peak[threadIdx.x] = 0.25f;
    // pipelinify: cp.async, 8 stages, source d4405363
    int k_load = k, stage = 0;
    if (k_load < n) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (k_load + (int)threadIdx.x < n) {
                __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &row[k_load + threadIdx.x], sizeof(float));
            } else {
                s_stage[load_stage][threadIdx.x] = -1.f;
            }
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (k < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            most = fmaxf(most, s_stage[stage][j] * (float)(1 + ((j ^ threadIdx.x) & 3)));
        peak[threadIdx.x] = most;
        k += T;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * T + threadIdx.x] = most + peak[T - 1 - threadIdx.x];
}

// pipelinify: launch dots
//   sizes    tiles=1,2,3,4,5,9
//   target   tiles=8192
//   grid     2
//   block    64
//   a:       in  [2 * tiles * 64]
//   b:       in  [tiles * 64]
//   out:     out [2 * 64]
//   tiles:   tiles
__global__ void dots(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int tiles)
{
    constexpr int stages = 8;
    __shared__ float as_stage[stages][T], bs_stage[stages][T];
    const float *from = a + blockIdx.x * tiles * T;
    float sum = 0.f;
    int t = 0;
    // pipelinify: cp.async, 8 stages, source 5cfd73e8
    int t_load = t, stage = 0;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            __pipeline_memcpy_async(&as_stage[load_stage][threadIdx.x], &from[t_load * T + threadIdx.x], sizeof(float));
            __pipeline_memcpy_async(&bs_stage[load_stage][threadIdx.x], &b[t_load * T + threadIdx.x], sizeof(float));
            more = ++t_load != tiles;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (true) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            sum += as_stage[stage][j] * bs_stage[stage][j ^ threadIdx.x];
        // all done
        stage = stage == stages - 1 ? 0 : stage + 1;
        if (++t == tiles)
            break;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + threadIdx.x] = sum + t;
}

// pipelinify: launch walk
//   sizes    n=1,2,63,64,65,128,129,192,193,300
//   target   n=1048576
//   grid     1
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   last:    out [1]
//   n:       n
__global__ void walk(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ last, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][T];
    float sum = 0.f;
    int k = 0;
    // pipelinify: cp.async, 8 stages, source e6a0c213
    int k_load = k, stage = 0;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x], sizeof(float),
                                    (k_load + (int)threadIdx.x < n) ? 0 : sizeof(float));
            more = k_load + T < n;
            if (more)
                k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (;; k += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j] * (float)(j ^ threadIdx.x) + k;
        // on to the next
        stage = stage == stages - 1 ? 0 : stage + 1;
        if (k + T >= n)
            break;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        *last = k;
}

// pipelinify: launch panels
//   sizes    tiles=1,2,3,4,5,7 rows=64
//   target   tiles=512 rows=4096
//   grid     rows / 64
//   block    64
//   A:       in  [tiles * 16 * rows]
//   x:       in  [tiles * 16]
//   y:       out [rows]
//   tiles:   tiles
//   rows:    rows
__global__ void panels(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int tiles,
                       int rows)
{
    __shared__ float xs_stage[2][16];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float dot = 0.f;
    int left = tiles;
    const float *column = A + row;
    const float *piece = x;
    // pipelinify: cp.async, 2 stages, source d272a355
    int left_load = left, stage = 0;
    auto piece_load = piece;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            if (threadIdx.x < 16)
                __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &piece_load[threadIdx.x], sizeof(float));
            more = --left_load != 0;
            if (more)
                piece_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (;; piece += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 16; ++j)
            dot += column[j * rows] * xs_stage[stage][j];
        column += 16 * rows;
        stage ^= 1;
        if (--left == 0)
            break;
    }
    __pipeline_wait_prior(0);
    y[row] = dot;
}
