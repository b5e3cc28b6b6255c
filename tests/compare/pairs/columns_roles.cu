#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#ifndef FAULT
#define FAULT 0
#endif
// A warp loads rows of 64 columns, two warps fold them.
__global__ void by_pipeline(const int *m, int *out, int n, int w)
{
    __shared__ int ring[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, FAULT == 1 ? 4 : 3> state;
    auto block = cooperative_groups::this_thread_block();
    const bool loads = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, loads ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const int base = blockIdx.x * 64;
    if (loads) {
        for (int i = 0; i < n; ++i) {
            pipe.producer_acquire();
            for (int c = threadIdx.x; c < 64; c += 32)
                if (base + c < w)
                    cuda::memcpy_async(&ring[i % 3][c], m + i * w + base + c, sizeof(int), pipe);
            pipe.producer_commit();
        }
        return;
    }
    const int c = threadIdx.x - 32;
    int acc = 7;
    for (int i = 0; i < n - (FAULT == 2 && n > 20); ++i) {
        pipe.consumer_wait();
        if (base + c < w)
            acc = acc * 3 + ring[i % 3][c];
        pipe.consumer_release();
    }
    if (base + c < w)
        out[base + c] = acc;
}
// The same by a full and an empty barrier a slot: who frees a slot does not wait there.
__global__ void by_barriers(const int *m, int *out, int n, int w)
{
    using bar = cuda::barrier<cuda::thread_scope_block>;
    __shared__ bar full[2], empty[2];
    __shared__ int s[2][32];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            init(&full[i], 64);
            init(&empty[i], FAULT == 3 ? 65 : 64);
        }
    __syncthreads();
    const int c = threadIdx.x % 32, column = blockIdx.x * 32 + c;
    if (threadIdx.x >= 32) {
        for (int i = 0; i < n; ++i) {
            if (FAULT == 4)
                (void)empty[i & 1].arrive();
            else
                empty[i & 1].arrive_and_wait();
            s[i & 1][c] = column < w ? m[i * w + column] : 0;
            (void)full[i & 1].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        int acc = 7;
        for (int i = 0; i < n; ++i) {
            full[i & 1].arrive_and_wait();
            acc = acc * 3 + s[i & 1][FAULT == 5 ? 31 - c : c];
            (void)empty[i & 1].arrive();
        }
        if (column < w)
            out[column] = acc;
    }
}
int main()
{
    int n = 40, w = 192, *m, *o;
    cudaMalloc(&m, n * w * sizeof(int));
    cudaMalloc(&o, w * sizeof(int));
    by_pipeline<<<(w + 63) / 64, 96>>>(m, o, n, w);
    by_barriers<<<(w + 31) / 32, 64>>>(m, o, n, w);
}
