#include <cooperative_groups.h>
#include <cuda/pipeline>
// The stage is released before it is read.
__global__ void halves(const float *src, float *dst, int tiles)
{
    constexpr auto scope = cuda::thread_scope_block;
    __shared__ float tile[2][96];
    __shared__ cuda::pipeline_shared_state<scope, 2> shared;
    auto block = cooperative_groups::this_thread_block();
    const bool loads = block.thread_rank() < 32;
    auto pipe = cuda::make_pipeline(block, &shared, loads ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    float acc = 0;
    if (loads) {
        for (int t = 0; t < tiles; ++t) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < 96; i += 32)
                cuda::memcpy_async(&tile[t & 1][i], src + t * 96 + i, sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            pipe.consumer_wait();
            pipe.consumer_release();
            acc += tile[t & 1][threadIdx.x - 32] * tile[t & 1][127 - threadIdx.x];
        }
        dst[threadIdx.x - 32] = acc;
    }
}

void run(const float *s, float *d, int tiles) { halves<<<1, 128>>>(s, d, tiles); }
