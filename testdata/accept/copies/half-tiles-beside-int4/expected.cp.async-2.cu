// Half activations times 4-bit weights, a scale for each output column: the activations are
// copied as they are, the weights are unpacked on their way into the tile.
#include <cuda_fp16.h>
#include <stdint.h>
#include <cuda_pipeline.h>

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
    __shared__ __align__(16) __half as_stage[2][TOKENS * DEEP];
    __shared__ __half bs_stage[2][OUTS][DEEP + 8];

    const int t = threadIdx.x;
    const int row0 = blockIdx.y * TOKENS, col0 = blockIdx.x * OUTS;
    const int col = t % 64, half_of_rows = t / 64;
    float sum[16] = {};

    // pipelinify: cp.async, 2 stages, source 203fea7b
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (TOKENS * DEEP) % 8 == 0 && DEEP % 8 == 0 &&
                        (size_t)act % 16 == 0 && k % 8 == 0;
    int step = 0, stage = 0;
    if (step < k / DEEP) {
        auto compute_tile = [&]() {
            for (int d = 0; d < DEEP; ++d) {
                const float b = __half2float(bs_stage[stage][col][d]);
                for (int j = 0; j < 16; ++j)
                    sum[j] += __half2float(as_stage[stage][(half_of_rows * 16 + j) * DEEP + d]) * b;
            }
        };
        {
            const int base = step * DEEP;
            if (joined) {
                for (int i = 8 * t; i < TOKENS * DEEP; i += 8 * 128) {
                    const int r = i / DEEP, d = i - r * DEEP;
                    if (row0 + r < m) {
                        __pipeline_memcpy_async(&as_stage[0][i], &act[(row0 + r) * k + base + d],
                                                16);
                    } else {
                        for (int each = 0; each < 8; ++each) {
                            (&as_stage[0][i])[each] = __half(0.0f);
                        }
                    }
                }
            } else {
                for (int i = t; i < TOKENS * DEEP; i += 128) {
                    const int r = i / DEEP, d = i - r * DEEP;
                    as_stage[0][i] = row0 + r < m ? act[(row0 + r) * k + base + d] : __half(0.0f);
                }
            }
            for (int i = t; i < OUTS * DEEP / 8; i += 128) {
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                const uint32_t bits = packed[(col0 + c) * (k / 8) + base / 8 + word];
                for (int j = 0; j < 8; ++j)
                    bs_stage[0][c][8 * word + j] = __int2half_rn((int)((bits >> (4 * j)) & 15) - 8);
            }
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (++step; step < k / DEEP; ++step) {
            uint32_t bits_next[(OUTS * DEEP / 8) / 128];
            const int base = step * DEEP;
            if (joined) {
                for (int i = 8 * t; i < TOKENS * DEEP; i += 8 * 128) {
                    const int r = i / DEEP, d = i - r * DEEP;
                    if (row0 + r < m) {
                        __pipeline_memcpy_async(&as_stage[stage ^ 1][i],
                                                &act[(row0 + r) * k + base + d], 16);
                    } else {
                        for (int each = 0; each < 8; ++each) {
                            (&as_stage[stage ^ 1][i])[each] = __half(0.0f);
                        }
                    }
                }
            } else {
                for (int i = t; i < TOKENS * DEEP; i += 128) {
                    const int r = i / DEEP, d = i - r * DEEP;
                    as_stage[stage ^ 1][i] =
                        row0 + r < m ? act[(row0 + r) * k + base + d] : __half(0.0f);
                }
            }
            #pragma unroll
            for (int slot = 0; slot < (OUTS * DEEP / 8) / 128; ++slot) {
                int i = t + slot * 128;
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                const uint32_t bits = packed[(col0 + c) * (k / 8) + base / 8 + word];
                bits_next[slot] = bits;
            }
            __pipeline_commit();
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (OUTS * DEEP / 8) / 128; ++slot) {
                int i = t + slot * 128;
                const int c = i / (DEEP / 8), word = i % (DEEP / 8);
                uint32_t bits = bits_next[slot];
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    bs_stage[stage][c][8 * word + j] =
                        __int2half_rn((int)((bits >> (4 * j)) & 15) - 8);
            }
            __pipeline_wait_prior(0);
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
