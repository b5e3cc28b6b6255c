// Half activations times 4-bit weights, a scale for each output column: the activations are
// copied as they are, the weights are unpacked on their way into the tile.
#include <cuda_fp16.h>
#include <stdint.h>

#define TOKENS 32
#define OUTS 64
#define DEEP 64

// pipelinify: launch w4a16
//   sizes    m=32 n=64 k=0,64,128,192,256,320
//   sizes    m=20,45 n=64,128 k=64,192
//   target   m=512 n=4096 k=4096
//   requires k % 64 == 0 && n % 64 == 0
//   grid     n / 64, (m + 31) / 32
//   block    128
//   act:     in  [m * k]
//   packed:  in  [n * (k / 8)]
//   scale:   in  [n]
//   out:     out [m * n]
//   m:       m
//   n:       n
//   k:       k
//   work     flops 2 * m * n * k
__global__ __launch_bounds__(128)
void w4a16(const __half *__restrict__ act, const uint32_t *__restrict__ packed,
           const float *__restrict__ scale, float *__restrict__ out, int m, int n, int k)
{
    __shared__ __half as[TOKENS * DEEP];
    __shared__ __half bs[OUTS][DEEP + 8];

    const int t = threadIdx.x;
    const int row0 = blockIdx.y * TOKENS, col0 = blockIdx.x * OUTS;
    const int col = t % 64, half_of_rows = t / 64;
    float sum[16] = {};

    // pipelinify: ldg-single, 1 stage, source 203fea7b
    int step = 0;
    if (step < k / DEEP) {
        auto compute_tile = [&]() {
            for (int d = 0; d < DEEP; ++d) {
                const float b = __half2float(bs[col][d]);
                for (int j = 0; j < 16; ++j)
                    sum[j] += __half2float(as[(half_of_rows * 16 + j) * DEEP + d]) * b;
            }
        };
        {
            const int base = step * DEEP;
            for (int i = t; i < TOKENS * DEEP; i += 128) {
                const int r = i / DEEP, d = i - r * DEEP;
                as[i] = row0 + r < m ? act[(row0 + r) * k + base + d] : __half(0.0f);
            }
            for (int i = t; i < OUTS * DEEP / 8; i += 128) {
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                const uint32_t bits = packed[(col0 + c) * (k / 8) + base / 8 + word];
                for (int j = 0; j < 8; ++j)
                    bs[c][8 * word + j] = __int2half_rn((int)((bits >> (4 * j)) & 15) - 8);
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++step; step < k / DEEP; ++step) {
            __half as_next[TOKENS * DEEP / 128];
            uint32_t bits_next[(OUTS * DEEP / 8) / 128];
            const int base = step * DEEP;
            #pragma unroll
            for (int slot = 0; slot < TOKENS * DEEP / 128; ++slot) {
                int i = t + slot * 128;
                const int r = i / DEEP, d = i - r * DEEP;
                as_next[slot] = __half(0.0f);
                if (row0 + r < m)
                    as_next[slot] = act[(row0 + r) * k + base + d];
            }
            #pragma unroll
            for (int slot = 0; slot < (OUTS * DEEP / 8) / 128; ++slot) {
                int i = t + slot * 128;
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                const uint32_t bits = packed[(col0 + c) * (k / 8) + base / 8 + word];
                bits_next[slot] = bits;
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < TOKENS * DEEP / 128; ++slot) {
                int i = t + slot * 128;
                as[i] = as_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < (OUTS * DEEP / 8) / 128; ++slot) {
                int i = t + slot * 128;
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                uint32_t bits = bits_next[slot];
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    bs[c][8 * word + j] = __int2half_rn((int)((bits >> (4 * j)) & 15) - 8);
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int j = 0; j < 16; ++j) {
        const int row = row0 + half_of_rows * 16 + j;
        if (row < m)
            out[row * n + col0 + col] = sum[j] * scale[col0 + col];
    }
}
