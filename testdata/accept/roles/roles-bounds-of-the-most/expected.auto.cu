// Bounds that leave room for more threads than are launched: twice as many are more than
// a block may have, and with twice as many half as many blocks find registers.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define MOST 1024
#define RESIDENT 1

// pipelinify: launch tail_sums
//   sizes    tiles=0,1,2,3,7
//   block    128
//   from:    in [tiles * 128] random
//   sums:    out [128]
//   tiles:   tiles
__global__ void __launch_bounds__(1024, ((RESIDENT + 1) + 1) / 2)
tail_sums(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][128];
    float sum = 0.f;
    // pipelinify: pipeline-partitioned, 3 stages, source 51ec9b0f
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state,
                                    blockDim.x * blockDim.y);
    int tile = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (tile < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(&part_stage[load_stage][threadIdx.x],
                               &from[tile * 128 + threadIdx.x],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            ++tile;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; tile < tiles; ++tile) {
        pipe.consumer_wait();
        for (int k = threadIdx.x; k < 128; ++k)
            sum += part_stage[stage][k] / (k + 1);
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    sums[threadIdx.x] = sum;
}

void add_tails(const float *from, float *sums, int tiles)
{
    tail_sums<<<1, dim3(128, 1, 2)>>>(from, sums, tiles);
}
