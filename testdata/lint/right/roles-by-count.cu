#include <cooperative_groups.h>
#include <cuda/pipeline>
// As many producers as make_pipeline is told; two tiles are committed ahead.
template <int TILE, int STAGES>
__global__ void __launch_bounds__(192) histogram_keys(const int *keys, int *best, int tiles)
{
    extern __shared__ int store[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> st;
    auto g = cooperative_groups::this_thread_block();
    constexpr int loaders = 64;
    auto p = cuda::make_pipeline(g, &st, loaders);
    if (g.thread_rank() < loaders) {
        int slot = 0;
        for (int t = 0; t < tiles; t++) {
            p.producer_acquire();
            for (int i = g.thread_rank(); i < TILE; i += loaders)
                cuda::memcpy_async(&store[slot * TILE + i], &keys[t * TILE + i], sizeof(int), p);
            p.producer_commit();
            slot = slot == STAGES - 1 ? 0 : slot + 1;
        }
        return;
    }
    int slot = 0, most = 0;
    const int me = g.thread_rank() - loaders;
    for (int t = 0; t < tiles; t++) {
        p.consumer_wait();
        for (int i = me; i < TILE; i += 128)
            most = max(most, store[slot * TILE + i] ^ store[slot * TILE + (TILE - 1 - i)]);
        p.consumer_release();
        slot = slot == STAGES - 1 ? 0 : slot + 1;
    }
    best[me] = most;
}
void go(const int *k, int *b, int t) { histogram_keys<256, 3><<<1, 192, 3 * 256 * sizeof(int)>>>(k, b, t); }
