#include <cooperative_groups.h>
#include <cuda/pipeline>

// Lagged sums of a signal. The tile is cleared ahead of the loop, which fills all of it.
// pipelinify: launch lagged
//   sizes chunks=0,1,2,3,5
//   grid  2
//   block 96
//   signal: in  [chunks * 192 + 1] random
//   sums:   out [192]
//   chunks: chunks
__global__ __launch_bounds__(192) void lagged(const float *__restrict__ signal, float *__restrict__ sums, int chunks)
{
    constexpr int stages = 4;
    __shared__ float window_stage[stages][96];
    const int lane = threadIdx.x;
    if (threadIdx.z == 0)
        window_stage[3][lane] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    // pipelinify: pipeline-partitioned, 4 stages, source 79a0d118
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state,
                                    blockDim.x * blockDim.y);
    int chunk = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (chunk < chunks) {
            pipe.producer_acquire();
            cuda::memcpy_async(&window_stage[load_stage][lane],
                               &signal[(chunk * 2 + blockIdx.x) * 96 + lane],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            ++chunk;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; chunk < chunks; ++chunk) {
        pipe.consumer_wait();
        for (int lag = 0; lag < 96; ++lag)
            sum = 0.5f * sum +
                  window_stage[stage][lag] * window_stage[stage][95 - (lag ^ (lane & 1))];
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    sums[blockIdx.x * 96 + lane] = sum;
}

void run(const float *signal, float *sums, int chunks)
{
    lagged<<<2, dim3(96, 1, 2)>>>(signal, sums, chunks);
}
