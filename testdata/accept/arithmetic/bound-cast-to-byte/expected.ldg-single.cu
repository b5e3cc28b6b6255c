// A histogram's bins are padded by what a byte holds of a negative number, and a row
// is cut to what a short holds of its length.
#include <cuda_runtime.h>

// pipelinify: launch padded_bins
//   sizes rows=0,1,2,5
//   target rows=4096
//   grid   2
//   block  128
//   counts: in  [rows * 700] random
//   out:    out [2 * 128]
//   rows:   rows
__global__ void __launch_bounds__(128)
padded_bins(const float *__restrict__ counts, float *__restrict__ out, int rows)
{
    __shared__ float bins[700];
    const int t = threadIdx.x;
    int margin = -100;
    int padded = 512 + (unsigned char)margin; // 512 + 156
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source e7ec0b34
    int row = 0;
    if (row < rows) {
        for (int b = t; b < padded; b += 128)
            bins[b] = counts[row * 700 + b];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++row; row < rows; ++row) {
            float bins_next[6];
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int b = t + slot * 128;
                if (slot < padded / 128 || b < padded)
                    bins_next[slot] = counts[row * 700 + b];
            }
            for (int b = 0; b < 668; ++b)
                sum += bins[b] * (float)((b ^ t) & 15);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int b = t + slot * 128;
                if (slot < padded / 128 || b < padded)
                    bins[b] = bins_next[slot];
            }
            __syncthreads();
        }
        for (int b = 0; b < 668; ++b)
            sum += bins[b] * (float)((b ^ t) & 15);
    }
    out[blockIdx.x * 128 + t] = sum;
}

// pipelinify: launch cut_rows
//   sizes rows=0,1,3,4
//   target rows=4096
//   grid   1
//   block  128
//   in:    in  [rows * 1024] random
//   out:   out [128]
//   rows:  rows
__global__ void __launch_bounds__(128)
cut_rows(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ float line[1024];
    const int t = threadIdx.x;
    short length = 66464; // 928
    signed char skipped = 200; // -56
    float best = -1.0e30f;
    // pipelinify: ldg-single, 1 stage, source 889d2010
    int row = 0;
    if (row < rows) {
        for (int i = t; i < length + skipped; i += 128)
            line[i] = in[row * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++row; row < rows; ++row) {
            float line_next[7];
            #pragma unroll
            for (int slot = 0; slot < 7; ++slot) {
                int i = t + slot * 128;
                if (i < length + skipped)
                    line_next[slot] = in[row * 1024 + i];
            }
            for (int i = 0; i < 872; ++i)
                best = fmaxf(best, line[i] - (float)((i + t) & 31));
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 7; ++slot) {
                int i = t + slot * 128;
                if (i < length + skipped)
                    line[i] = line_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 872; ++i)
            best = fmaxf(best, line[i] - (float)((i + t) & 31));
    }
    out[t] = best;
}
