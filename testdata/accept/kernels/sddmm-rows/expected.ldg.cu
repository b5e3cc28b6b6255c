// Sampled dense-dense product: the block keeps one row of A and walks its columns with all sampled columns of B.
#include <cuda_runtime.h>
typedef unsigned int uint;
constexpr uint KT = 32;
// pipelinify: launch sddmm
//   sizes nnz=5,300 rows=4 cols=6 K=0,1,31,32,33,64,70,96,128,160
//   target nnz=65536 rows=1024 cols=4096 K=1024
//   grid rows
//   block 64
//   per: (nnz + rows - 1) / rows
//   col: in [((nnz + rows - 1) / rows) * rows] below(cols)
//   A: in [rows * K + 1]
//   B: in [cols * K + 1]
//   out: out [((nnz + rows - 1) / rows) * rows]
//   K: K
__global__ void sddmm(uint per, const uint *__restrict__ col, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, uint K)
{
    __shared__ float a_stage[2][KT];
    const uint row = blockIdx.x;
    for (uint e0 = 0; e0 < per; e0 += blockDim.x) {
        const uint e = e0 + threadIdx.x;
        const float *brow = e < per ? B + (size_t)col[row * per + e] * K : nullptr;
        float d = 0.f;
        // pipelinify: ldg, 2 stages, source 8f3a5d4e
        uint k = 0;
        uint k_tile = k;
        if (k < K) {
            int stage = 0;
            auto compute_tile = [&]() {
                const uint kn = min(KT, K - k_tile);
                if (brow)
                    for (uint i = 0; i < kn; ++i) d += a_stage[stage][i] * brow[k_tile + i];
            };
            {
                const uint kn = min(KT, K - k);
                for (uint i = threadIdx.x; i < kn; i += blockDim.x) a_stage[0][i] = A[row * K + k + i];
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += KT; k < K; k += KT) {
                float a_next[1];
                const uint kn = min(KT, K - k);
                #pragma unroll
                for (int slot = 0; slot < 1; ++slot) {
                    uint i = threadIdx.x + slot * blockDim.x;
                    if (i < kn)
                        a_next[slot] = A[row * K + k + i];
                }
                compute_tile();
                k_tile += KT;
                stage ^= 1;
                #pragma unroll
                for (int slot = 0; slot < 1; ++slot) {
                    uint i = threadIdx.x + slot * blockDim.x;
                    if (i < kn)
                        a_stage[stage][i] = a_next[slot];
                }
                // What has not been fetched ahead.
                for (uint i = threadIdx.x + blockDim.x; i < kn; i += blockDim.x)
                    a_stage[stage][i] = A[row * K + k + i];
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
        if (e < per) out[row * per + e] = d;
    }
}
