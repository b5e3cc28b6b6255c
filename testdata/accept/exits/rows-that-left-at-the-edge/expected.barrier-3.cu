// Threads return ahead of the loop, whose barriers do without them: the rows of a block beyond the edge, its first threads, all but one.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

// Each row of threads has a row of the matrix, and a part of the tile to itself.
// pipelinify: launch row_norms
//   sizes    m=8 k=0,32,64,96,128,256
//   sizes    m=1,3,7,9,13 k=160
//   target   m=65540 k=4096
//   requires m > 0
//   grid     (m + 7) / 8
//   block    32, 8
//   a:       in  [m * k]
//   norms:   out [m * 32]
//   m:       m
//   k:       k
__global__ void row_norms(const float *__restrict__ a, float *__restrict__ norms, int m, int k)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][8][32];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= m)
        return;
    float sum = 0.0f;
    // pipelinify: barrier, 3 stages, source e1f8a9f0
    // One for each stage: its copies have landed, and all threads are there that have not left.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    {
        const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        unsigned first = 0;
        while (!__syncthreads_or(rank == first))
            ++first;
        const int present = __syncthreads_count(1);
        if (rank == first)
            for (int stage = 0; stage < stages; ++stage)
                init(&landed[stage], present);
        __syncthreads();
    }
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.y][threadIdx.x], &a[row * k + k0_load + threadIdx.x],
                                    sizeof(float));
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            k0_load += 32;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += 32) {
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i) {
            const float v = part_stage[stage][threadIdx.y][(threadIdx.x + i) % 32];
            sum += v * v * (i + 1);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    norms[row * 32 + threadIdx.x] = sum;
}

// pipelinify: launch late_threads
//   sizes    n=0,1,2,3,5,8 skip=0,1,31,32,40,63
//   target   n=4096 skip=17
//   requires skip < 64
//   grid     2
//   block    64
//   in:      in  [n * 64]
//   out:     inout [128]
//   n:       n
//   skip:    skip
__global__ void late_threads(const int *__restrict__ in, int *__restrict__ out, int n, int skip)
{
    constexpr int stages = 3;
    __shared__ int tile_stage[stages][64];
    const int t = threadIdx.x;
    if (t < skip)
        return;
    int most = out[blockIdx.x * 64 + t];
    // pipelinify: barrier, 3 stages, source 6eee581b
    // One for each stage: its copies have landed, and all threads are there that have not left.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    {
        const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        unsigned first = 0;
        while (!__syncthreads_or(rank == first))
            ++first;
        const int present = __syncthreads_count(1);
        if (rank == first)
            for (int stage = 0; stage < stages; ++stage)
                init(&landed[stage], present);
        __syncthreads();
    }
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][t], &in[i_load * 64 + t], sizeof(int));
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            ++i_load;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = skip; j < 64; ++j)
            most = max(most, tile_stage[stage][j] ^ (t * i));
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    out[blockIdx.x * 64 + t] = most;
}

// Two ways to leave, one of them ahead of a barrier.
// pipelinify: launch columns_in_reach
//   sizes    cols=64 rows=0,1,2,3,5,9 reach=64
//   sizes    cols=50 rows=4,7 reach=30
//   target   cols=33000 rows=4096 reach=32900
//   requires cols > 0
//   grid     (cols + 63) / 64
//   block    64
//   a:       in  [rows * cols]
//   w:       in  [64]
//   out:     out [cols]
//   cols:    cols
//   rows:    rows
//   reach:   reach
__global__ void columns_in_reach(const float *__restrict__ a, const float *__restrict__ w,
                                 float *__restrict__ out, int cols, int rows, int reach)
{
    constexpr int stages = 3;
    __shared__ float line_stage[stages][64];
    __shared__ float weights[64];
    const int t = threadIdx.x, col = blockIdx.x * 64 + t;
    weights[t] = w[t];
    if (col >= cols)
        return;
    __syncthreads();
    if (col >= reach) {
        out[col] = -1.0f;
        return;
    }
    const int live = min(min(cols, reach) - (int)blockIdx.x * 64, 64);
    float sum = 0.0f;
    // pipelinify: barrier, 3 stages, source 98654b1c
    // One for each stage: its copies have landed, and all threads are there that have not left.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    {
        const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        unsigned first = 0;
        while (!__syncthreads_or(rank == first))
            ++first;
        const int present = __syncthreads_count(1);
        if (rank == first)
            for (int stage = 0; stage < stages; ++stage)
                init(&landed[stage], present);
        __syncthreads();
    }
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            __pipeline_memcpy_async(&line_stage[load_stage][t], &a[r_load * cols + col], sizeof(float));
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            ++r_load;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; ++r) {
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < live; ++i)
            sum += weights[(t + i) % live] * line_stage[stage][i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    out[col] = sum;
}
