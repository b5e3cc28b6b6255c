// Rows weighted by a table that all but the last of them read; behind the loop it is where the block exchanges its
// sums. No barrier ends the body: the one ahead of the last row's load orders the rows before it.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int WIDTH = 64;

// pipelinify: launch weighted
//   sizes    rows=0,1,2,3,5,8
//   grid     2
//   block    64
//   x:       in [2 * rows * 64 + 1] random
//   weights: in [64] random
//   out:     out [128]
//   rows:    rows
__global__ __launch_bounds__(128) void weighted(const float *__restrict__ x, const float *__restrict__ weights, float *__restrict__ out,
                         int rows)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][WIDTH];
    __shared__ float table[WIDTH];
    const int t = threadIdx.x;
    const float *from = x + (size_t)blockIdx.x * rows * WIDTH;
    float sum = 0.f;
    if (threadIdx.z == 0)
        table[t] = weights[t];
    // pipelinify: pipeline-partitioned, 3 stages, source 8c57cbdf
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int r = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (r < rows) {
            pipe.producer_acquire();
            cuda::memcpy_async(&row_stage[load_stage][t], &from[r * WIDTH + t],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            ++r;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; r < rows; ++r) {
        pipe.consumer_wait();
        if (r + 1 < rows) {
            for (int i = 0; i < WIDTH; ++i)
                sum += row_stage[stage][i] * table[(i + t) % WIDTH];
        } else {
            for (int i = 0; i < WIDTH; ++i)
                sum += row_stage[stage][i];
        }
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __syncthreads();
    table[t] = sum;
    __syncthreads();
    out[blockIdx.x * WIDTH + t] = sum + table[WIDTH - 1 - t];
}

void run(const float *x, const float *weights, float *out, int rows)
{
    weighted<<<2, dim3(WIDTH, 1, 2)>>>(x, weights, out, rows);
}
