// Constants of an iteration are declared static: a pitch, and the taps of a filter that the load weighs by.
#include <cuda_runtime.h>

// pipelinify: launch filtered
//   sizes    rows=0,1,2,5 lines=64,128
//   target   rows=4096 lines=64
//   grid     lines / 64
//   block    64
//   src:     in  [rows * lines * 4] random
//   out:     out [lines]
//   rows:    rows
__global__ void __launch_bounds__(64)
filtered(const float *__restrict__ src, float *__restrict__ out, int rows)
{
    __shared__ float line[4][64];
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) {
        static constexpr int channels = 4;
        static constexpr float gain[2][channels] = {{1.0f, 0.5f, 0.25f, 0.125f}, {0.5f, 1.0f, 0.5f, 1.0f}};
#pragma unroll
        for (int c = 0; c < channels; ++c) {
            static const int pitch = 64;
            line[c][threadIdx.x] =
                src[((r * gridDim.x + blockIdx.x) * channels + c) * pitch + threadIdx.x] * gain[1][c];
        }
        __syncthreads();
        for (int c = 0; c < channels; ++c)
            for (int i = 0; i < 64; ++i)
                sum += line[c][i ^ (threadIdx.x & 3)] * gain[0][c];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
