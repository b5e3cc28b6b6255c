// Eight weights lie in a word, which is shifted as they are taken out of it: the word is fetched ahead,
// and unpacked behind compute. One of them goes by way of an array, the other straight into the tile.
#include <cuda_runtime.h>

#define LANES 64

// pipelinify: launch unpacked_dot
//   sizes   tiles=0,1,2,3,5
//   grid    2
//   block   64
//   words:  in  [tiles * 128] random
//   x:      in  [tiles * 512] random
//   y:      out [128]
//   tiles:  tiles
__global__ void __launch_bounds__(LANES) unpacked_dot(const unsigned *__restrict__ words,
                                                      const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float w[2 * 8 * LANES];
    __shared__ float xs[512];
    const int lane = threadIdx.x;
    float dot = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 21feab78
    int tile = 0;
    if (tile < tiles) {
        for (int half = 0; half < 2; ++half) {
            unsigned word = words[(tile * 2 + half) * LANES + lane];
            float four[4];
            for (int part = 0; part < 2; ++part) {
                for (int i = 0; i < 4; ++i) {
                    int nibble = (int)(word & 15u) - 8;
                    word >>= 4;
                    four[i] = (float)nibble;
                }
                *(float4 *)(w + half * 8 * LANES + lane * 8 + part * 4) = *reinterpret_cast<const float4 *>(four);
            }
        }
        for (int i = 0; i < 2; ++i)
            ((float4 *)xs)[i * LANES + lane] = ((const float4 *)(x + tile * 512))[i * LANES + lane];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float4 xs_next[2];
            unsigned int word_next[2];
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
                unsigned word = words[(tile * 2 + half) * LANES + lane];
                word_next[half] = word;
            }
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                xs_next[i] = ((const float4 *)(x + tile * 512))[i * LANES + lane];
            for (int k = 0; k < 512; ++k)
                dot += w[(k * 2 + lane) & 1023] * xs[k];
            __syncthreads();
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
                unsigned int word = word_next[half];
                float four[4];
                #pragma unroll
                for (int part = 0; part < 2; ++part) {
                    for (int i = 0; i < 4; ++i) {
                        int nibble = (int)(word & 15u) - 8;
                        word >>= 4;
                        four[i] = (float)nibble;
                    }
                    *(float4 *)(w + half * 8 * LANES + lane * 8 + part * 4) = *reinterpret_cast<const float4 *>(four);
                }
            }
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                ((float4 *)xs)[i * LANES + lane] = xs_next[i];
            __syncthreads();
        }
        for (int k = 0; k < 512; ++k)
            dot += w[(k * 2 + lane) & 1023] * xs[k];
    }
    y[blockIdx.x * LANES + lane] = dot;
}

// pipelinify: launch bytes_dot
//   sizes   tiles=0,1,2,3,5
//   grid    2
//   block   64
//   words:  in  [tiles * 64] random
//   y:      out [128]
//   tiles:  tiles
__global__ void __launch_bounds__(LANES) bytes_dot(const int *__restrict__ words, float *__restrict__ y, int tiles)
{
    __shared__ float w[4 * LANES];
    const int lane = threadIdx.x;
    float dot = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 73de91c2
    int tile = 0;
    if (tile < tiles) {
        // The sign decides which end comes first.
        for (int once = 0; once < 1; ++once) {
            int word = words[tile * LANES + lane];
            if (lane & 1)
                word = ~word;
            for (int i = 0; i < 4; ++i) {
                w[lane * 4 + i] = (float)(word & 127);
                word /= 128;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            int word_next[1];
            // The sign decides which end comes first.
            #pragma unroll
            for (int once = 0; once < 1; ++once) {
                int word = words[tile * LANES + lane];
                word_next[once] = word;
            }
            for (int k = 0; k < 4 * LANES; ++k)
                dot += w[k] * (float)(k ^ lane);
            __syncthreads();
            #pragma unroll
            for (int once = 0; once < 1; ++once) {
                int word = word_next[once];
                if (lane & 1)
                    word = ~word;
                #pragma unroll
                for (int i = 0; i < 4; ++i) {
                    w[lane * 4 + i] = (float)(word & 127);
                    word /= 128;
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < 4 * LANES; ++k)
            dot += w[k] * (float)(k ^ lane);
    }
    y[blockIdx.x * LANES + lane] = dot;
}
