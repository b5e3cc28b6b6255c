// Sampled dense-dense product: the block keeps one row of A and walks its columns with all sampled columns of B.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
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
    constexpr int stages = 3;
    __shared__ float a_stage[stages][KT];
    const uint row = blockIdx.x;
    for (uint e0 = 0; e0 < per; e0 += blockDim.x) {
        const uint e = e0 + threadIdx.x;
        const float *brow = e < per ? B + (size_t)col[row * per + e] * K : nullptr;
        float d = 0.f;
        // pipelinify: cp.async, 3 stages, source 8f3a5d4e
        uint k_load = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < K) {
                const uint kn = min(KT, K - k_load);
                for (uint i = threadIdx.x; i < kn; i += blockDim.x)
                    __pipeline_memcpy_async(&a_stage[load_stage][i], &A[row * K + k_load + i], sizeof(float));
                k_load += KT;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        int stage = 0;
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (uint k = 0; k < K; k += KT) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            const uint kn = min(KT, K - k);
            if (brow)
                for (uint i = 0; i < kn; ++i) d += a_stage[stage][i] * brow[k + i];
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        if (e < per) out[row * per + e] = d;
    }
}
