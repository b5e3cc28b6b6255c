// Tiles that a mask passes over, and a loop that asks behind its tile: both roles look for the next tile by themselves.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// pipelinify: launch masked
//   sizes  tiles=0,1,2,6,13
//   grid   2
//   block  96
//   x:     in  [2 * tiles * 96 + 1]
//   mask:  in  [tiles + 1] below(2)
//   out:   out [2 * 96]
//   tiles: tiles
__global__ __launch_bounds__(192) void masked(const float *__restrict__ x, const int *__restrict__ mask, float *__restrict__ out, int tiles)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][96];
    float sum = 0.f;
    // pipelinify: pipeline-partitioned, 3 stages, source 3eb2c6a9
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
        while (true) {
            bool more = false;
            for (; k < tiles; ++k) {
                if (!mask[k])
                    continue;
                more = true;
                break;
            }
            if (!more)
                break;
            pipe.producer_acquire();
            cuda::memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[(blockIdx.x * tiles + k) * 96 + threadIdx.x],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            ++k;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; k < tiles; ++k) {
        if (!mask[k])
            continue;
        pipe.consumer_wait();
        sum += tile_stage[stage][95 - threadIdx.x] * (k + 1);
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    out[blockIdx.x * 96 + threadIdx.x] = sum;
}

// pipelinify: launch at_least_one
//   sizes  n=1,64,65,200
//   grid   1
//   block  64
//   x:     in  [n]
//   out:   out [64]
//   n:     n
__global__ __launch_bounds__(128) void at_least_one(const int *__restrict__ x, int *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ int tile_stage[stages][64];
    int at = 0, sum = 0;
    // pipelinify: pipeline-partitioned, 3 stages, source 385bd353
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        bool more = true;
        while (more) {
            pipe.producer_acquire();
            if (at + (int)threadIdx.x < n) {
                cuda::memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[at + threadIdx.x],
                                   cuda::aligned_size_t<sizeof(int)>(sizeof(int)), pipe);
            } else {
                tile_stage[load_stage][threadIdx.x] = 0;
            }
            at += 64;
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            more = at < n;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    do {
        pipe.consumer_wait();
        sum = 3 * sum + tile_stage[stage][(threadIdx.x + 1) % 64];
        at += 64;
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    } while (at < n);
    out[threadIdx.x] = sum + at;
}

void run(const float *x, const int *mask, float *out, const int *y, int *z, int n)
{
    masked<<<2, dim3(96, 1, 2)>>>(x, mask, out, n);
    at_least_one<<<1, dim3(64, 1, 2)>>>(y, z, n);
}
