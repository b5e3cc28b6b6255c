#include <cooperative_groups.h>
#include <cuda/barrier>
// cuda::memcpy_async against two block barriers, one a buffer.
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void scale(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float buf[2][256];
    __shared__ barrier_t full[2];
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) {
        init(&full[0], blockDim.x);
        init(&full[1], blockDim.x);
    }
    block.sync();
    if (tiles > 0)
        cuda::memcpy_async(block, buf[0], in, cuda::aligned_size_t<16>(sizeof(float) * 256), full[0]);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            cuda::memcpy_async(block, buf[(t + 1) & 1], in + (t + 1) * 256, cuda::aligned_size_t<16>(sizeof(float) * 256), full[(t + 1) & 1]);
        full[t & 1].arrive_and_wait();
        out[t * 256 + threadIdx.x] = 2 * buf[t & 1][255 - threadIdx.x];
        block.sync();
    }
}

void run(const float *i, float *o, int n) { scale<<<1, 256>>>(i, o, n / 256); }
