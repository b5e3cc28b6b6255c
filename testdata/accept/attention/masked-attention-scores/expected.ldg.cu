// Masked mean of values by weights that are not normalised: V is float4, the mask a byte an element that
// becomes a factor. One block walks the keys of several queries, one after the other; the barrier comes first.
#include <cuda_runtime.h>

#define KEYS 32
#define QUADS 16

// pipelinify: launch masked_mean
//   sizes    queries=1,2,5 keys=0,1,31,32,33,64,96,100
//   sizes    queries=7 keys=128
//   target   queries=4096 keys=4096
//   grid     (queries + 2) / 3
//   block    16, 8
//   weights: in  [queries * keys] random
//   mask:    in  [queries * keys] below(2)
//   V:       in  [keys * 16] random
//   out:     out [queries * 16]
//   queries: queries
//   keys:    keys
//   work     flops 128 * queries * keys
__global__ void masked_mean(const float *weights, const unsigned char *mask, const float4 *V, float4 *__restrict__ out,
                            int queries, int keys)
{
    __shared__ float4 v_stage[2][KEYS][QUADS];
    __shared__ float factor_stage[2][KEYS];
    __shared__ float4 part[8][QUADS];
    const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;

    for (int q = blockIdx.x * 3; q < blockIdx.x * 3 + 3 && q < queries; q++) {
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        // pipelinify: ldg, 2 stages, source aece65a7
        int first = 0, stage = 0;
        if (first < keys) {
            __syncthreads();
            auto compute_tile = [&]() {
                for (int r = y; r < KEYS; r += 8) {
                    sum.x += factor_stage[stage][r] * v_stage[stage][r][x].x;
                    sum.y += factor_stage[stage][r] * v_stage[stage][r][x].y;
                    sum.z += factor_stage[stage][r] * v_stage[stage][r][x].z;
                    sum.w += factor_stage[stage][r] * v_stage[stage][r][x].w;
                }
            };
            for (int r = y; r < KEYS; r += 8)
                v_stage[0][r][x] = first + r < keys ? V[(first + r) * QUADS + x] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (t < KEYS) {
                const bool in = first + t < keys;
                factor_stage[0][t] = in && mask[q * keys + first + t] ? expf(weights[q * keys + first + t]) : 0.0f;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (first += KEYS; first < keys; first += KEYS) {
                float4 v_next[KEYS / 8];
                float factor_next;
                #pragma unroll
                for (int slot = 0; slot < KEYS / 8; ++slot) {
                    int r = y + slot * 8;
                    if (r < KEYS)
                        v_next[slot] =
                            first + r < keys ? V[(first + r) * QUADS + x] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                }
                if (t < KEYS) {
                    const bool in = first + t < keys;
                    factor_next = in && mask[q * keys + first + t] ? expf(weights[q * keys + first + t]) : 0.0f;
                }
                compute_tile();
                stage ^= 1;
                #pragma unroll
                for (int slot = 0; slot < KEYS / 8; ++slot) {
                    int r = y + slot * 8;
                    if (r < KEYS)
                        v_stage[stage][r][x] = v_next[slot];
                }
                if (t < KEYS) {
                    factor_stage[stage][t] = factor_next;
                }
                __syncthreads();
            }
            compute_tile();
        }
        part[y][x] = sum;
        __syncthreads();
        if (y == 0) {
            for (int i = 1; i < 8; i++) {
                sum.x += part[i][x].x;
                sum.y += part[i][x].y;
                sum.z += part[i][x].z;
                sum.w += part[i][x].w;
            }
            out[q * QUADS + x] = sum;
        }
        __syncthreads();
    }
}
