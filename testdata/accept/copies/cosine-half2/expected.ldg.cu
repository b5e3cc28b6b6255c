// Cosine similarity of half-precision vectors: half2 loads, converted to float2 on their way into the tiles.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define PAIRS 16      // half2 elements of a row per tile
#define VECS  16      // vectors per block side

// pipelinify: launch cosine_sim
//   sizes  na=16 nb=16 pairs=0,1,16,17,32,48,64,80
//   sizes  na=20 nb=35 pairs=40
//   target na=8192 nb=8192 pairs=384
//   grid   (nb + 15) / 16, (na + 15) / 16
//   block  16, 16
//   A:     in  [na * pairs] random
//   B:     in  [nb * pairs] random
//   S:     out [na * nb]
//   na:    na
//   nb:    nb
//   pairs: pairs
//   work   flops 4 * na * nb * pairs
__global__ void cosine_sim(const __half2 *__restrict__ A, const __half2 *__restrict__ B,
                           float *__restrict__ S, int na, int nb, int pairs)
{
    __shared__ float2 at_stage[2][VECS][PAIRS];
    __shared__ float2 bt_stage[2][VECS][PAIRS + 1];

    const int tx   = threadIdx.x;
    const int ty   = threadIdx.y;
    const int arow = blockIdx.y * VECS + ty;
    const int brow = blockIdx.x * VECS + ty;
    const __half2 zero2 = __float2half2_rn(0.f);

    float dot = 0.f, asq = 0.f, bsq = 0.f;

    // pipelinify: ldg, 2 stages, source d3d7a8bb
    int p = 0, stage = 0;
    if (p < pairs) {
        auto compute_tile = [&]() {
            #pragma unroll
            for (int k = 0; k < PAIRS; ++k) {
                const float2 a = at_stage[stage][ty][k];
                const float2 b = bt_stage[stage][tx][k];
                dot += a.x * b.x + a.y * b.y;
                asq += a.x * a.x + a.y * a.y;
                bsq += b.x * b.x + b.y * b.y;
            }
        };
        {
            const bool inside = p + tx < pairs;
            const __half2 ah = (arow < na && inside) ? A[arow * pairs + p + tx] : zero2;
            const __half2 bh = (brow < nb && inside) ? B[brow * pairs + p + tx] : zero2;
            at_stage[0][ty][tx] = __half22float2(ah);
            bt_stage[0][ty][tx] = __half22float2(bh);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += PAIRS; p < pairs; p += PAIRS) {
            const bool inside = p + tx < pairs;
            const __half2 ah = (arow < na && inside) ? A[arow * pairs + p + tx] : zero2;
            const __half2 bh = (brow < nb && inside) ? B[brow * pairs + p + tx] : zero2;
            compute_tile();
            stage ^= 1;
            at_stage[stage][ty][tx] = __half22float2(ah);
            bt_stage[stage][ty][tx] = __half22float2(bh);
            __syncthreads();
        }
        compute_tile();
    }

    const int col = blockIdx.x * VECS + tx;
    if (arow < na && col < nb)
        S[arow * nb + col] = dot / (sqrtf(asq) * sqrtf(bsq) + 1e-6f);
}
