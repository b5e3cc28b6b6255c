#include <cuda_pipeline.h>

// A launch may give bytes that the kernel does not name, so that fewer of its blocks share a
// multiprocessor's first cache. With its static shared memory they have to stay within 48 KiB.
// pipelinify: launch gather
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 2048 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void gather(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float row[2048];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a897e391
    int r = 0;
    if (r < rows) {
        for (int i = tx; i < 2048; i += 256)
            row[i] = in[r * 2048 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            float row_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row_next[slot] = in[r * 2048 + i];
            }
            for (int q = 0; q < 2048; q += 32)
                sum = 0.5f * sum + row[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row[i] = row_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 2048; q += 32)
            sum = 0.5f * sum + row[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

// pipelinify: launch scatter
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 2048 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void scatter(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float row[2048];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 77922ac1
    int r = 0;
    if (r < rows) {
        for (int i = tx; i < 2048; i += 256)
            row[i] = in[r * 2048 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            float row_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row_next[slot] = in[r * 2048 + i];
            }
            for (int q = 0; q < 2048; q += 32)
                sum = 0.25f * sum + row[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row[i] = row_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 2048; q += 32)
            sum = 0.25f * sum + row[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

// Of these there is room for another stage.
// pipelinify: launch counts
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 1024 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void counts(const int *__restrict__ in, int *__restrict__ out, int rows)
{
    __shared__ __align__(16) int row_stage[2][1024];
    const int tx = threadIdx.x;
    int sum = 0;
    // pipelinify: cp.async, 2 stages, source 3682cf6e
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 256 && (size_t)in % 16 == 0;
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            if (joined) {
                for (int i = 4 * tx; i < 1024; i += 4 * 256)
                    __pipeline_memcpy_async(&row_stage[load_stage][i], &in[r_load * 1024 + i], 16);
            } else {
                for (int i = tx; i < 1024; i += 256)
                    __pipeline_memcpy_async(&row_stage[load_stage][i], &in[r_load * 1024 + i],
                                            sizeof(int));
            }
            ++r_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r = 0; r < rows; ++r) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int q = 0; q < 1024; q += 32)
            sum = 3 * sum + row_stage[stage][q ^ tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 256 + tx] = sum;
}

// How many these are is not known where they are given.
// pipelinify: launch shares
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 1024 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void shares(const int *__restrict__ in, int *__restrict__ out, int rows)
{
    __shared__ int row[1024];
    const int tx = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source f064db20
    int r = 0;
    if (r < rows) {
        for (int i = tx; i < 1024; i += 256)
            row[i] = in[r * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            int row_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row_next[slot] = in[r * 1024 + i];
            }
            for (int q = 0; q < 1024; q += 32)
                sum = 5 * sum + row[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row[i] = row_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 1024; q += 32)
            sum = 5 * sum + row[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

// A configuration gives them.
// pipelinify: launch configured
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 1024 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void configured(const int *__restrict__ in, int *__restrict__ out, int rows)
{
    __shared__ int row[1024];
    const int tx = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source f3ea1062
    int r = 0;
    if (r < rows) {
        for (int i = tx; i < 1024; i += 256)
            row[i] = in[r * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            int row_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row_next[slot] = in[r * 1024 + i];
            }
            for (int q = 0; q < 1024; q += 32)
                sum = 7 * sum + row[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                row[i] = row_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 1024; q += 32)
            sum = 7 * sum + row[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

// This one gives none.
// pipelinify: launch unconfigured
//   sizes rows=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [rows * 1024 + 1] random
//   out:  out [512]
//   rows: rows
__global__ void unconfigured(const int *__restrict__ in, int *__restrict__ out, int rows)
{
    constexpr int stages = 3;
    __shared__ __align__(16) int row_stage[stages][1024];
    const int tx = threadIdx.x;
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source d6932b64
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 256 && (size_t)in % 16 == 0;
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < rows) {
            if (joined) {
                for (int i = 4 * tx; i < 1024; i += 4 * 256)
                    __pipeline_memcpy_async(&row_stage[load_stage][i], &in[r_load * 1024 + i], 16);
            } else {
                for (int i = tx; i < 1024; i += 256)
                    __pipeline_memcpy_async(&row_stage[load_stage][i], &in[r_load * 1024 + i],
                                            sizeof(int));
            }
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < rows; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int q = 0; q < 1024; q += 32)
            sum = 9 * sum + row_stage[stage][q ^ tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 256 + tx] = sum;
}

static void leave_room(size_t &bytes) { bytes += 40000; }

void run(const float *in, const int *numbers, float *out, int *sums, int rows)
{
    gather<<<2, 256, 36 * 1024>>>(in, out, rows);
    void *args[] = {&in, &out, &rows};
    cudaLaunchKernel((void *)scatter, dim3(2), dim3(256), args, 36 * 1024, 0);
    size_t bytes = 1024;
    leave_room(bytes);
    shares<<<2, 256, bytes>>>(numbers, sums, rows);
    counts<<<2, 256, 40960>>>(numbers, sums, rows);
    auto kernel = configured;
    cudaLaunchConfig_t full = {2, 256, 44 * 1024}, bare = {2, 256};
    cudaLaunchKernelEx(&full, kernel, numbers, sums, rows);
    cudaLaunchKernelEx(&bare, unconfigured, numbers, sums, rows);
}
