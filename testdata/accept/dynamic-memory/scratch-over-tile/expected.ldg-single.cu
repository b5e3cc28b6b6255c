// To save memory the warps' partial results are put where the tile lay.
#include <cuda_runtime.h>

extern __shared__ float smem[];

// pipelinify: launch row_peaks
//   sizes    rows=1,3 tiles=0,1,2,3,5
//   target   rows=1024 tiles=64
//   grid     rows
//   block    128
//   smem     128 * 4
//   x:       in  [rows * tiles * 128]
//   peak:    out [rows]
//   tiles:   tiles
__global__ void __launch_bounds__(128)
row_peaks(const float *__restrict__ x, float *__restrict__ peak, int tiles)
{
    float *tile = smem;
    float *part = smem;
    const int t = threadIdx.x;
    float best = 0.f;
    // pipelinify: ldg-single, 1 stage, source 9d13d3ae
    int k = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            float e = fabsf(tile[t] - tile[127 - t]);
            for (int d = 16; d > 0; d /= 2)
                e = fmaxf(e, __shfl_xor_sync(0xffffffff, e, d));
            __syncthreads();
            if (t % 32 == 0) part[t / 32] = e;
            __syncthreads();
            best = fmaxf(best, fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3])));
        };
        tile[t] = x[(blockIdx.x * tiles + k) * 128 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float tile_next = x[(blockIdx.x * tiles + k) * 128 + t];
            compute_tile();
            __syncthreads();
            tile[t] = tile_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (t == 0) peak[blockIdx.x] = best;
}

// Two names for the dynamic block: the norms lie behind the tile of vectors, in a type of their own.
// pipelinify: launch longest
//   sizes    n=0,1,63,64,65,200
//   target   n=65536
//   grid     2
//   block    64
//   smem     64 * 12 + 64 * 4
//   points:  in  [3 * n]
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(64)
longest(const float *__restrict__ points, float *__restrict__ out, int n)
{
    extern __shared__ float xyz[];
    extern __shared__ int fixed[];
    const int t = threadIdx.x;
    int *norm = fixed + 3 * 64;
    int top = 0;
    // pipelinify: ldg-single, 1 stage, source b704d191
    int first = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            norm[t] = (int)(1024.f * (xyz[3 * t] * xyz[3 * t] + xyz[3 * t + 1] * xyz[3 * t + 1] +
                                      xyz[3 * t + 2] * xyz[3 * t + 2]));
            __syncthreads();
            for (int k = 0; k < 64; ++k)
                top = max(top, norm[k] - (k ^ t));
        };
        for (int e = t; e < 3 * 64; e += 64)
            xyz[e] = 3 * first + e < 3 * n ? points[3 * first + e] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < n; first += 64) {
            float xyz_next[3];
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int e = t + slot * 64;
                xyz_next[slot] = 3 * first + e < 3 * n ? points[3 * first + e] : 0.f;
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int e = t + slot * 64;
                xyz[e] = xyz_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = (float)top;
}
