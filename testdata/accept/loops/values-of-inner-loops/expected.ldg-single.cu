// What is stored comes of several loads, in loops that lead to no cell: each load is one of many by the
// time of the store, so that what came of them is kept, and not the load.
#include <cuda_runtime.h>

// pipelinify: launch folded
//   sizes   tiles=0,1,2,3,6
//   grid    2
//   block   64
//   in:     in  [tiles * 192] random
//   out:    out [128]
//   tiles:  tiles
__global__ void __launch_bounds__(64) folded(const int *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float fold[64];
    const int me = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 10e55238
    int tile = 0;
    if (tile < tiles) {
        if (me < 64) {
            float all = 1.0f;
            for (int j = 0; j < 3; ++j) {
                const int one = in[(tile * 3 + j) * 64 + me];
                all = all * 3.0f + (float)one;
            }
            fold[me] = all;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float fold_next;
            if (me < 64) {
                float all = 1.0f;
                for (int j = 0; j < 3; ++j) {
                    const int one = in[(tile * 3 + j) * 64 + me];
                    all = all * 3.0f + (float)one;
                }
                fold_next = all;
            }
            for (int k = 0; k < 64; ++k)
                sum += fold[k] * (float)(k + me);
            __syncthreads();
            if (me < 64) {
                fold[me] = fold_next;
            }
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += fold[k] * (float)(k + me);
    }
    out[blockIdx.x * 64 + me] = sum;
}

// pipelinify: launch mixed_bits
//   sizes   tiles=0,1,2,3,6
//   grid    2
//   block   64
//   in:     in  [tiles * 192] random
//   out:    out [128]
//   tiles:  tiles
__global__ void __launch_bounds__(64) mixed_bits(const int *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float parts[256];
    const int me = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 9db7d4ca
    int tile = 0;
    if (tile < tiles) {
        for (int once = 0; once < 1; ++once) {
            float four[4];
            for (int j = 0; j < 3; ++j) {
                int word = in[(tile * 3 + j) * 64 + me];
                four[j] = (float)(word & 7);
                word >>= 3;
                four[3] = (float)(word & 15);
            }
            *(float4 *)(parts + me * 4) = *reinterpret_cast<const float4 *>(four);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float4 parts_next[1];
            #pragma unroll
            for (int once = 0; once < 1; ++once) {
                float four[4];
                for (int j = 0; j < 3; ++j) {
                    int word = in[(tile * 3 + j) * 64 + me];
                    four[j] = (float)(word & 7);
                    word >>= 3;
                    four[3] = (float)(word & 15);
                }
                parts_next[once] = *reinterpret_cast<const float4 *>(four);
            }
            for (int k = 0; k < 256; ++k)
                sum += parts[k] * (float)(k ^ me);
            __syncthreads();
            #pragma unroll
            for (int once = 0; once < 1; ++once) {
                *(float4 *)(parts + me * 4) = parts_next[once];
            }
            __syncthreads();
        }
        for (int k = 0; k < 256; ++k)
            sum += parts[k] * (float)(k ^ me);
    }
    out[blockIdx.x * 64 + me] = sum;
}
