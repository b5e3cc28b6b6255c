// Lambdas with copies: one fills what it is handed, one has a pointer of its own that is made where
// the lambda is, one is made anew for each tile, of where that begins.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch weighted_sums
//   sizes    n=0,1,63,64,65,200
//   target   n=65536
//   grid     3
//   block    64
//   x:       in  [3 * n + 64]
//   w:       in  [n + 64]
//   y:       out [3 * 64]
//   n:       n
__global__ void __launch_bounds__(64)
    weighted_sums(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    __shared__ float xs[T], ws[T];
    const int t = threadIdx.x;
    const auto fill = [=](float *tile, const float *from, int at) {
        tile[t] = at + t < n ? from[at + t] : 0.f;
    };
    const auto fill_fetch = [=](const float *from, int at) {
        float tile_next = at + t < n ? from[at + t] : 0.f;
        return tile_next;
    };
    const auto fill_store = [=](float *tile, float tile_next) {
        tile[t] = tile_next;
    };
    auto scaled = [of = w + blockIdx.x, scale = 0.5f](int i) { return scale * of[i]; };
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 72457cdd
    {
        int i = 0, i_tile = i;
        if (i < n) {
            auto compute_tile = [&]() {
                auto &i = i_tile;
                auto here = [first = i * 2, width = T](int j) { return (first + j) % width; };
                for (int j = 0; j < T; ++j)
                    sum = sum * 0.5f + xs[j] * ws[here(j + t)] + scaled(j % 4);
            };
            fill(xs, x + blockIdx.x * n, i);
            fill(ws, w, i);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (i += T; i < n; i += T) {
                auto xs_next = fill_fetch(x + blockIdx.x * n, i);
                auto ws_next = fill_fetch(w, i);
                compute_tile();
                i_tile += T;
                __syncthreads();
                fill_store(xs, xs_next);
                fill_store(ws, ws_next);
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
    }
    y[blockIdx.x * T + t] = sum;
}
