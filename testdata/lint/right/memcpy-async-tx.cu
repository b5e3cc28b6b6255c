#include <cuda/barrier>
#include <utility>
// cuda::device::memcpy_async_tx: thread 0 arms the barrier of a stage, all wait with tokens.
using bar_t = cuda::barrier<cuda::thread_scope_block>;
__global__ void __launch_bounds__(128) scale(const int *in, int *out, int chunks, int f)
{
    constexpr int W = 512;
    __shared__ alignas(16) int chunk[2][W];
    __shared__ bar_t bar[2];
    if (threadIdx.x == 0) {
        init(&bar[0], blockDim.x);
        init(&bar[1], blockDim.x);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    bar_t::arrival_token token[2];
    auto fetch = [&](int c) {
        const int s = c & 1;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(chunk[s], in + c * W, cuda::aligned_size_t<16>(W * sizeof(int)), bar[s]);
            token[s] = cuda::device::barrier_arrive_tx(bar[s], 1, W * sizeof(int));
        } else {
            token[s] = bar[s].arrive();
        }
    };
    if (chunks > 0)
        fetch(0);
    int acc = 0;
    for (int c = 0; c < chunks; ++c) {
        if (c + 1 < chunks)
            fetch(c + 1);
        bar[c & 1].wait(std::move(token[c & 1]));
        for (int i = threadIdx.x; i < W; i += 128)
            acc += f * chunk[c & 1][i ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
void run(const int *i, int *o, int c) { scale<<<1, 128>>>(i, o, c, 3); }
