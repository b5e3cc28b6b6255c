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
    for (int row = 0; row < rows; ++row) {
        for (int i = t; i < cells; i += 160)
            strip[i] = src[row * 640 + i];
        __syncthreads();
        for (int i = 0; i < 640; ++i)
            sum += strip[i] * (float)((i + t) % 5);
        __syncthreads();
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
    for (int row = 0; row < rows; ++row) {
        for (int i = t; i < length; i += 160)
            strip[i] = src[row * 640 + i];
        __syncthreads();
        for (int i = 0; i < 480; ++i)
            sum += strip[i] * (float)((i + t) % 7);
        __syncthreads();
    }
    dst[t] = sum;
}
