// y = W x, one block of 128 threads a row; 512 columns of W and of x are staged as float4 at a time.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

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
    // pipelinify: bulk, 3 stages, source 8b7cbbff
    // Whether a tile's rows can be copied whole: all is aligned.
    const bool whole = (size_t)row % 16 == 0 && (size_t)x % 16 == 0;
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < stages; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n4) {
            if (whole) {
                if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
                    cuda::device::experimental::fence_proxy_async_shared_cta();
                    cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(float4));
                    cuda::device::memcpy_async_tx(&w_tile_stage[load_stage][tid], &row[base_load + tid],
                                                  cuda::aligned_size_t<16>(blockDim.x * sizeof(float4)),
                                                  landed[load_stage]);
                }
            } else {
                __pipeline_memcpy_async(&w_tile_stage[load_stage][tid], &row[base_load + tid], sizeof(float4));
            }
            if (whole) {
                if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
                    cuda::device::experimental::fence_proxy_async_shared_cta();
                    cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(float4));
                    cuda::device::memcpy_async_tx(&x_tile_stage[load_stage][tid], &vec[base_load + tid],
                                                  cuda::aligned_size_t<16>(blockDim.x * sizeof(float4)),
                                                  landed[load_stage]);
                }
            } else {
                __pipeline_memcpy_async(&x_tile_stage[load_stage][tid], &vec[base_load + tid], sizeof(float4));
            }
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            base_load += kThreads;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n4; base += kThreads) {
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        // a thread takes its quad from the other end, so that the whole block shares the tile
        float4 a = w_tile_stage[stage][kThreads - 1 - tid];
        float4 b = x_tile_stage[stage][kThreads - 1 - tid];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __syncthreads();

    for (int off = 16; off > 0; off >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (tid % 32 == 0)
        partial[tid / 32] = sum;
    __syncthreads();
    if (tid == 0)
        y[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}
