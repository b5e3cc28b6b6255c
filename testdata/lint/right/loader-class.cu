#include <cuda_pipeline.h>
// A loader with state: its own slot and its own source, advanced by operator++.
template <int TILE, int NS> class Loader {
    const float *src_;
    float (*ring_)[TILE];
    int slot_ = 0, left_;
public:
    __device__ Loader(const float *src, float (*ring)[TILE], int n) : src_(src), ring_(ring), left_(n) {}
    __device__ Loader &operator++()
    {
        if (left_ > 0) {
            __pipeline_memcpy_async(&ring_[slot_][threadIdx.x], src_ + threadIdx.x, 4);
            src_ += TILE;
            --left_;
        }
        __pipeline_commit();
        if (++slot_ == NS)
            slot_ = 0;
        return *this;
    }
};
template <int NS> __global__ void hash_tiles(const float *x, float *y, int n)
{
    constexpr int TILE = 128;
    __shared__ float ring[NS][TILE];
    Loader<TILE, NS> loader(x, ring, n);
#pragma unroll
    for (int i = 0; i < NS - 1; ++i)
        ++loader;
    float acc = 1;
    int rd = 0;
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(NS - 2);
        __syncthreads();
        acc = acc * .9f + ring[rd][(threadIdx.x * 5) & (TILE - 1)];
        ++loader;
        rd = rd + 1 == NS ? 0 : rd + 1;
    }
    y[threadIdx.x] = acc;
}
void run(const float *x, float *y, int n) { hash_tiles<5><<<2, 128>>>(x, y, n); }
