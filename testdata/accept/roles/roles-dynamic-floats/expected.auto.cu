// A tile in dynamic shared memory: its launch gets more bytes and more threads; copies are joined to wide ones.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// pipelinify: launch weigh
//   sizes  tiles=1,2,5 blocks=2
//   target tiles=256 blocks=2112
//   grid   blocks
//   block  64
//   smem   1024
//   x:     in  [blocks * tiles * 256]
//   w:     in  [256]
//   out:   out [blocks * 64]
//   tiles: tiles
__global__ __launch_bounds__(128, 2) void weigh(const float *__restrict__ x, const float *__restrict__ w,
                                               float *__restrict__ out, int tiles)
{
    extern __shared__ float tile[];
    // 2 stages of 1024 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 2 * 1024 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[2][256]>(tile);
    float sum = 0.f, weights[4];
    for (int i = 0; i < 4; ++i)
        weights[i] = w[i * 64 + threadIdx.x];
    // pipelinify: pipeline-partitioned, 2 stages, source 294fc974
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int k = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (k < tiles) {
            pipe.producer_acquire();
            {
                auto &tile = tile_stage[load_stage];
                for (int i = threadIdx.x; i < 256; i += 64)
                    cuda::memcpy_async(&tile[i], &x[(blockIdx.x * tiles + k) * 256 + i],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            }
            pipe.producer_commit();
            load_stage ^= 1;
            ++k;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; k < tiles; ++k) {
        pipe.consumer_wait();
        auto &tile = tile_stage[stage];
        for (int i = 0; i < 4; ++i)
            sum += weights[i] * tile[i * 64 + 63 - threadIdx.x];
        pipe.consumer_release();
        stage ^= 1;
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, const float *w, float *out, int tiles, int blocks)
{
    const unsigned bytes = 256 * sizeof(float);
    weigh<<<blocks, dim3(64, 1, 2), bytes + 1024 + 1>>>(x, w, out, tiles);
}
