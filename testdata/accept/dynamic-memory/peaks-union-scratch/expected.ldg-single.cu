// Largest column sum of each strip: the partial sums of the reduction take the place of the tile that they come from.
#include <cuda_runtime.h>

constexpr int kRows = 32, kThreads = 128;

union Scratch {
    float tile[kRows][kThreads];
    struct {
        float best[kThreads];
        int   where[kThreads];
    } red;
};

// pipelinify: launch strip_peaks
//   sizes    strips=1,3 n=0,1,31,32,33,64,100
//   target   strips=512 n=4096
//   grid     strips
//   block    128
//   in:      in  [strips * n * 128]
//   peak:    out [strips * ((n + 31) / 32)]
//   column:  out [strips * ((n + 31) / 32)]
//   n:       n
__global__ void __launch_bounds__(kThreads)
strip_peaks(const float *__restrict__ in, float *__restrict__ peak, int *__restrict__ column, int n)
{
    __shared__ Scratch u;
    const int t = threadIdx.x;
    const int tiles = (n + kRows - 1) / kRows;
    in += (size_t)blockIdx.x * n * kThreads;

    // pipelinify: ldg-single, 1 stage, source b8ad3a47
    int tile = 0, tile_tile = tile;
    if (tile < tiles) {
        auto compute_tile = [&]() {
            float sum = 0.f;
            for (int r = 0; r < kRows; ++r)
                sum += u.tile[r][(t + r) % kThreads];
            __syncthreads();

            u.red.best[t] = sum;
            u.red.where[t] = t;
            __syncthreads();
            for (int half = kThreads / 2; half > 0; half /= 2) {
                if (t < half && u.red.best[t + half] > u.red.best[t]) {
                    u.red.best[t] = u.red.best[t + half];
                    u.red.where[t] = u.red.where[t + half];
                }
                __syncthreads();
            }
            if (t == 0) {
                peak[blockIdx.x * tiles + tile_tile] = u.red.best[0];
                column[blockIdx.x * tiles + tile_tile] = u.red.where[0];
            }
        };
        for (int r = 0; r < kRows; ++r) {
            const int row = tile * kRows + r;
            u.tile[r][t] = row < n ? in[row * kThreads + t] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float tile_next[kRows];
            #pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int row = tile * kRows + r;
                tile_next[r] = row < n ? in[row * kThreads + t] : 0.f;
            }
            compute_tile();
            ++tile_tile;
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < kRows; ++r) {
                u.tile[r][t] = tile_next[r];
            }
            __syncthreads();
        }
        compute_tile();
    }
}
