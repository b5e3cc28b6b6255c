// A comparison of a negative number with an unsigned one, and a choice between two
// types, decide how much is staged.
#include <cuda_runtime.h>

// pipelinify: launch guarded_halo
//   sizes rows=0,1,2,4
//   target rows=4096
//   grid   1
//   block  160
//   src:   in  [rows * 640] random
//   dst:   out [160]
//   rows:  rows
__global__ void __launch_bounds__(160)
guarded_halo(const float *__restrict__ src, float *__restrict__ dst, int rows)
{
    __shared__ float strip[640];
    const int t = threadIdx.x;
    const int halo = -3;
    const int cells = halo < (int)sizeof(float) && !(halo < sizeof(float)) ? 640 : 160;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 6153e2c3
    int row = 0;
    if (row < rows) {
        for (int i = t; i < cells; i += 160)
            strip[i] = src[row * 640 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++row; row < rows; ++row) {
            float strip_next[cells / 160];
            #pragma unroll
            for (int slot = 0; slot < cells / 160; ++slot) {
                int i = t + slot * 160;
                strip_next[slot] = src[row * 640 + i];
            }
            for (int i = 0; i < 640; ++i)
                sum += strip[i] * (float)((i + t) % 5);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < cells / 160; ++slot) {
                int i = t + slot * 160;
                strip[i] = strip_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 640; ++i)
            sum += strip[i] * (float)((i + t) % 5);
    }
    dst[t] = sum;
}

// pipelinify: launch chosen_length
//   sizes rows=0,1,2,4
//   target rows=4096
//   grid   1
//   block  160
//   src:   in  [rows * 640] random
//   dst:   out [160]
//   rows:  rows
__global__ void __launch_bounds__(160)
chosen_length(const float *__restrict__ src, float *__restrict__ dst, int rows)
{
    __shared__ float strip[640];
    const int t = threadIdx.x;
    const bool signed_too = true;
    int length = (signed_too ? -1 : 0u) > 5 ? 480 : 320; // unsigned, so 480
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 74608204
    int row = 0;
    if (row < rows) {
        for (int i = t; i < length; i += 160)
            strip[i] = src[row * 640 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++row; row < rows; ++row) {
            float strip_next[((signed_too ? -1 : 0u) > 5 ? 480 : 320) / 160];
            #pragma unroll
            for (int slot = 0; slot < ((signed_too ? -1 : 0u) > 5 ? 480 : 320) / 160; ++slot) {
                int i = t + slot * 160;
                strip_next[slot] = src[row * 640 + i];
            }
            for (int i = 0; i < 480; ++i)
                sum += strip[i] * (float)((i + t) % 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < ((signed_too ? -1 : 0u) > 5 ? 480 : 320) / 160; ++slot) {
                int i = t + slot * 160;
                strip[i] = strip_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 480; ++i)
            sum += strip[i] * (float)((i + t) % 7);
    }
    dst[t] = sum;
}
