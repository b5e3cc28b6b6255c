#include <cooperative_groups.h>
#include <cuda/pipeline>

// The pipeline of the block is made anew for each row, in the same state.
__device__ float row_sum(const float *row, int tiles)
{
    __shared__ float ring[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < tiles + 1; ++k) {
        pipe.producer_acquire();
        if (k < tiles)
            cuda::memcpy_async(&ring[k % 2][t], row + k * 64 + t, sizeof(float), pipe);
        pipe.producer_commit();
        if (k == 0)
            continue;
        pipe.consumer_wait();
        sum += ring[(k - 1) % 2][63 - t];
        pipe.consumer_release();
    }
    block.sync();
    return sum;
}

__global__ void __launch_bounds__(64) row_sums(const float *in, float *out, int tiles)
{
    for (int r = 0; r < 3; ++r)
        out[r * 64 + threadIdx.x] = row_sum(in + r * tiles * 64, tiles);
}
