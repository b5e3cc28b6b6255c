// Flash attention with the loop over key tiles outside: each pass goes over all query tiles, whose statistics and
// outputs live in global memory. Three tiles and the scores are carved out of one dynamic array.
#include <cuda_runtime.h>
#include <math.h>

// pipelinify: launch attention_by_columns
//   sizes    d=4,8 Tc=0,1,2,3 Tr=1,2,3
//   target   d=32 Tc=16 Tr=16
//   grid     2
//   block    16
//   smem     4 * (3 * 16 * d + 16 * 16)
//   Q:       in  [2 * Tr * 16 * d]
//   K:       in  [2 * Tc * 16 * d]
//   V:       in  [2 * Tc * 16 * d]
//   l:       inout [2 * Tr * 16] const(0)
//   m:       inout [2 * Tr * 16] const(-100)
//   O:       inout [2 * Tr * 16 * d] const(0)
//   d:       d
//   Tc:      Tc
//   Tr:      Tr
__global__ void attention_by_columns(const float *Q, const float *K, const float *V,
                                     float *__restrict__ l, float *__restrict__ m,
                                     float *__restrict__ O, int d, int Tc, int Tr)
{
    const int B = 16;
    const int tx = threadIdx.x, b = blockIdx.x;
    extern __shared__ float sram[];
    int tile = B * d;
    float *Qi = sram, *Kj = &sram[tile], *Vj = &sram[tile * 2], *S = &sram[tile * 3];
    // pipelinify: ldg-single, 1 stage, source 7ef5b974
    int j = 0;
    if (j < Tc) {
        auto compute_tile = [&]() {
            for (int i = 0; i < Tr; i++) {
                for (int x = 0; x < d; x++)
                    Qi[tx * d + x] = Q[b * Tr * tile + i * tile + tx * d + x];
                float mp = m[b * Tr * B + i * B + tx], lp = l[b * Tr * B + i * B + tx];
                float mm = -INFINITY;
                for (int y = 0; y < B; y++) {
                    float s = 0;
                    for (int x = 0; x < d; x++) s += Qi[tx * d + x] * Kj[y * d + x];
                    S[B * tx + y] = s;
                    if (s > mm) mm = s;
                }
                float ll = 0;
                for (int y = 0; y < B; y++) { S[B * tx + y] = __expf(S[B * tx + y] - mm); ll += S[B * tx + y]; }
                float mn = max(mp, mm), ln = __expf(mp - mn) * lp + __expf(mm - mn) * ll;
                for (int x = 0; x < d; x++) {
                    float pv = 0;
                    for (int y = 0; y < B; y++) pv += S[B * tx + y] * Vj[y * d + x];
                    float &o = O[b * Tr * tile + i * tile + tx * d + x];
                    o = (1 / ln) * (lp * __expf(mp - mn) * o + __expf(mm - mn) * pv);
                }
                m[b * Tr * B + i * B + tx] = mn;
                l[b * Tr * B + i * B + tx] = ln;
            }
        };
        for (int x = 0; x < d; x++) {
            Kj[tx * d + x] = K[b * Tc * tile + j * tile + tx * d + x];
            Vj[tx * d + x] = V[b * Tc * tile + j * tile + tx * d + x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j++; j < Tc; j++) {
            float Kj_next[8];
            float Vj_next[8];
            #pragma unroll
            for (int x = 0; x < 8; ++x) {
                if (x < d) {
                    Kj_next[x] = K[b * Tc * tile + j * tile + tx * d + x];
                    Vj_next[x] = V[b * Tc * tile + j * tile + tx * d + x];
                }
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int x = 0; x < 8; ++x) {
                if (x < d) {
                    Kj[tx * d + x] = Kj_next[x];
                    Vj[tx * d + x] = Vj_next[x];
                }
            }
            // What has not been fetched ahead.
            for (int x = 8; x < d; x++) {
                Kj[tx * d + x] = K[b * Tc * tile + j * tile + tx * d + x];
                Vj[tx * d + x] = V[b * Tc * tile + j * tile + tx * d + x];
            }
            __syncthreads();
        }
        compute_tile();
    }
}
