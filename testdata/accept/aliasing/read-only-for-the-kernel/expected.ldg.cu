// What __ldg reads, and constants of the file, no store of the kernel changes: sums are stored
// while later tiles are loaded, and no pointer is __restrict__.
#include <cuda_runtime.h>

// Running sums of samples, the tiles by way of the read-only cache.
//
// pipelinify: launch running_sums
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   grid   2
//   block  64
//   in:    in  [n * 128] range(-1, 1)
//   out:   out [n * 128]
//   n:     n
__global__ void __launch_bounds__(64) running_sums(const float *in, float *out, int n)
{
    __shared__ float part_stage[2][64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 800261c9
    int t = 0, t_tile = t, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            const size_t at = ((size_t)t_tile * gridDim.x + blockIdx.x) * 64 + tx;
            for (int j = 0; j <= tx; ++j)
                sum += part_stage[stage][j];
            out[at] = sum;
        };
        {
            const size_t at = ((size_t)t * gridDim.x + blockIdx.x) * 64 + tx;
            part_stage[0][tx] = __ldg(in + at);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            const size_t at = ((size_t)t * gridDim.x + blockIdx.x) * 64 + tx;
            float part_next = __ldg(in + at);
            compute_tile();
            ++t_tile;
            stage ^= 1;
            part_stage[stage][tx] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
}

// The same of two rows, whose addresses are taken.
//
// pipelinify: launch crossed_rows
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   block  64
//   a:     in  [n * 64] range(-1, 1)
//   b:     in  [n * 64] range(-1, 1)
//   out:   out [n * 64]
//   n:     n
__global__ void __launch_bounds__(64) crossed_rows(const float *a, const float *b, float *out, int n)
{
    __shared__ float as_stage[2][64], bs_stage[2][64];
    const int tx = threadIdx.x;
    // pipelinify: ldg, 2 stages, source 187c2ec5
    int t = 0, t_tile = t, stage = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            float sum = 0.f;
            for (int j = 0; j < 64; ++j)
                sum += as_stage[stage][j] * bs_stage[stage][j ^ tx];
            out[t_tile * 64 + tx] = sum;
        };
        as_stage[0][tx] = __ldg(&a[t * 64 + tx]);
        bs_stage[0][63 - tx] = __ldg(&b[t * 64 + tx]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float as_next = __ldg(&a[t * 64 + tx]);
            float bs_next = __ldg(&b[t * 64 + tx]);
            compute_tile();
            ++t_tile;
            stage ^= 1;
            as_stage[stage][tx] = as_next;
            bs_stage[stage][63 - tx] = bs_next;
            __syncthreads();
        }
        compute_tile();
    }
}

__device__ const float window[4][64] = {{0.5f, 0.25f, 0.125f}, {1.f, 2.f}, {0.75f}};

// Rows of a table of the file, in turn.
//
// pipelinify: launch windowed
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   block  64
//   out:   out [n * 64]
//   n:     n
__global__ void __launch_bounds__(64) windowed(float *out, int n)
{
    __shared__ float row_stage[2][64];
    const int tx = threadIdx.x;
    float sum = 1.f;
    // pipelinify: ldg, 2 stages, source 2f32ba8a
    int t = 0, t_tile = t, stage = 0;
    if (t < n) {
        row_stage[0][tx] = window[t % 4][tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float row_next = window[t % 4][tx];
            for (int j = 0; j < 64; ++j)
                sum = sum * 0.5f + row_stage[stage][j ^ tx];
            out[t_tile * 64 + tx] = sum;
            ++t_tile;
            stage ^= 1;
            row_stage[stage][tx] = row_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum = sum * 0.5f + row_stage[stage][j ^ tx];
        out[t_tile * 64 + tx] = sum;
    }
}
