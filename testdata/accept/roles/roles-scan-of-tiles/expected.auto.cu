// Sums of tiles by a tree in shared memory: the barriers of the tree are those of the threads that compute.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// pipelinify: launch tree_sums
//   sizes  tiles=0,1,2,3,7
//   grid   3
//   block  128
//   x:     in  [3 * tiles * 128 + 1]
//   sums:  out [3 * tiles + 1]
//   last:  out [3]
//   seen:  inout [1]
//   tiles: tiles
__global__ __launch_bounds__(256) void tree_sums(const int *__restrict__ x, int *__restrict__ sums, int *__restrict__ last, int *__restrict__ seen, int tiles)
{
    constexpr int stages = 3;
    __shared__ int tile_stage[stages][128], part[64];
    __shared__ int total;
    const int t = threadIdx.x;
    // What follows changes memory: those that load do not do it.
    if (threadIdx.z == 0)
        if (t == 0) {
            total = 7 * blockIdx.x;
            atomicAdd(seen, 1);
        }
    if (threadIdx.z == 0)
        for (int i = t; i < 64; i += 128)
            part[i] = -1;
    __syncthreads();
    int base = total; // read by all behind the barrier
    // pipelinify: pipeline-partitioned, 3 stages, source ba02aff7
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int k = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (k < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile_stage[load_stage][t], &x[(blockIdx.x * tiles + k) * 128 + t],
                               cuda::aligned_size_t<sizeof(int)>(sizeof(int)), pipe);
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            ++k;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; k < tiles; ++k) {
        pipe.consumer_wait();
        if (t < 64)
            part[t] = tile_stage[stage][t] + tile_stage[stage][127 - t];
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        if (t < 8) {
            int s = 0;
            for (int i = t; i < 64; i += 8)
                s += part[i];
            atomicAdd(&total, s);
        }
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        if (t == 0)
            sums[blockIdx.x * tiles + k] = total - base;
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __syncthreads();
    if (t == 127)
        last[blockIdx.x] = total;
}

void run(const int *x, int *sums, int *last, int *seen, int tiles) { tree_sums<<<3, dim3(128, 1, 2)>>>(x, sums, last, seen, tiles); }
