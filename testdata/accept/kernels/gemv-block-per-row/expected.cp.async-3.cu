// y = W x, one block of 128 threads a row; 512 columns of W and of x are staged as float4 at a time.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int kThreads = 128;

// pipelinify: launch gemv_row
//   sizes    rows=1,3 cols=0,512,1024,1536,2048,2560
//   sizes    rows=8 cols=4608
//   target   rows=64 cols=262144
//   grid     rows
//   block    128
//   W:       in  [rows * cols]
//   x:       in  [cols]
//   y:       out [rows]
//   cols:    cols
//   work     flops 2 * rows * cols
//   work     bytes 4 * (rows * cols + cols + rows)
__global__ void __launch_bounds__(kThreads)
gemv_row(const float *__restrict__ W, const float *__restrict__ x, float *__restrict__ y, int cols)
{
    constexpr int stages = 3;
    __shared__ float4 w_tile_stage[stages][kThreads];
    __shared__ float4 x_tile_stage[stages][kThreads];
    __shared__ float partial[kThreads / 32];

    const float4 *row = reinterpret_cast<const float4 *>(W + (size_t)blockIdx.x * cols);
    const float4 *vec = reinterpret_cast<const float4 *>(x);
    const int tid = threadIdx.x;
    const int n4 = cols / 4;

    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 8b7cbbff
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n4) {
            __pipeline_memcpy_async(&w_tile_stage[load_stage][tid], &row[base_load + tid], sizeof(float4));
            __pipeline_memcpy_async(&x_tile_stage[load_stage][tid], &vec[base_load + tid], sizeof(float4));
            base_load += kThreads;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n4; base += kThreads) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        // a thread takes its quad from the other end, so that the whole block shares the tile
        float4 a = w_tile_stage[stage][kThreads - 1 - tid];
        float4 b = x_tile_stage[stage][kThreads - 1 - tid];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    for (int off = 16; off > 0; off >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (tid % 32 == 0)
        partial[tid / 32] = sum;
    __syncthreads();
    if (tid == 0)
        y[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}
