#include <cuda_runtime.h>

// Scores of queries against keys; a lambda brings keys and values, one of them by a
// pointer to the thread's own row.
// pipelinify: launch weighted_values
//   sizes    n=0,1,15,16,40,64
//   target   n=16384
//   grid     2
//   block    16
//   q:       in  [32]
//   keys:    in  [n * 16]
//   values:  in  [n * 16]
//   out:     out [32]
//   n:       n
__global__ void weighted_values(const float *__restrict__ q, const float *__restrict__ keys,
                                const float *__restrict__ values, float *__restrict__ out, int n)
{
    __shared__ float k_tile[16][17], v_tile[16][16];
    const int t = threadIdx.x;
    float *k_row = k_tile[t];
    float sum = 0.0f;

    auto bring = [&](int first) {
        const bool inside = first + t < n;
#pragma unroll
        for (int d = 0; d < 16; ++d) {
            k_row[d] = inside ? keys[(first + t) * 16 + d] : 0.0f;
            v_tile[t][d] = inside ? values[(first + t) * 16 + d] : 0.0f;
        }
    };
    auto bring_fetch = [&](int first) {
        struct {
            float k_row_next[16];
            float v_tile_next[16];
        } next;
        const bool inside = first + t < n;
#pragma unroll
        for (int d = 0; d < 16; ++d) {
            next.k_row_next[d] = inside ? keys[(first + t) * 16 + d] : 0.0f;
            next.v_tile_next[d] = inside ? values[(first + t) * 16 + d] : 0.0f;
        }
        return next;
    };
    auto bring_store = [&](const auto &next) {
#pragma unroll
        for (int d = 0; d < 16; ++d) {
            k_row[d] = next.k_row_next[d];
            v_tile[t][d] = next.v_tile_next[d];
        }
    };
    // pipelinify: ldg-single, 1 stage, source e9d3e538
    {
        int first = 0;
        if (first < n) {
            auto compute_tile = [&]() {
                for (int i = 0; i < 16; ++i) {
                    float score = 0.0f;
                    for (int d = 0; d < 16; ++d)
                        score += q[blockIdx.x * 16 + d] * k_tile[i][d];
                    sum += score * v_tile[i][t];
                }
            };
            bring(first);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (first += 16; first < n; first += 16) {
                auto bring_next = bring_fetch(first);
                compute_tile();
                __syncthreads();
                bring_store(bring_next);
                __syncthreads();
            }
            compute_tile();
        }
    }
    out[blockIdx.x * 16 + t] = sum;
}
