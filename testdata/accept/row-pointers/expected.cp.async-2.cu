// Matrix product whose tile rows and cells are stored through local pointers.
// pipelinify: launch rows
//   sizes K=0,32,64,96,224,50,7
//   target K=65536
//   grid 2
//   block 32, 8
//   A: in [2*32*K + 64]
//   B: in [32*K + 64]
//   C: out [2*32*32]
//   K: K
#include <cuda_pipeline.h>

__global__ void rows(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int K) {
    __shared__ float As_stage[2][32][33];
    __shared__ float Bs_stage[2][32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *Ab = A + (size_t)blockIdx.x * 32 * K;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    // pipelinify: cp.async, 2 stages, source 2e69cec9
    {
        int k0 = 0;
        if (k0 < K) {
            // Prologue: load the first tile.
            {
                auto &As = As_stage[0];
                auto &Bs = Bs_stage[0];
                for (int r = ty; r < 32; r += 8) {
                    float *arow = As[r];
                    const float *src = &Ab[r * K + k0];
                    if (k0 + tx < K) {
                        __pipeline_memcpy_async(&arow[tx], &src[tx], sizeof(float));
                    } else {
                        arow[tx] = 0.f;
                    }
                    float *bcell = &Bs[r][tx];
                    if (k0 + r < K) {
                        __pipeline_memcpy_async(bcell, &B[(k0 + r) * 32 + tx], sizeof(float));
                    } else {
                        *bcell = 0.f;
                    }
                }
            }
            k0 += 32;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; k0 < K; k0 += 32) {
                {
                    auto &As = As_stage[stage ^ 1];
                    auto &Bs = Bs_stage[stage ^ 1];
                    for (int r = ty; r < 32; r += 8) {
                        float *arow = As[r];
                        const float *src = &Ab[r * K + k0];
                        if (k0 + tx < K) {
                            __pipeline_memcpy_async(&arow[tx], &src[tx], sizeof(float));
                        } else {
                            arow[tx] = 0.f;
                        }
                        float *bcell = &Bs[r][tx];
                        if (k0 + r < K) {
                            __pipeline_memcpy_async(bcell, &B[(k0 + r) * 32 + tx], sizeof(float));
                        } else {
                            *bcell = 0.f;
                        }
                    }
                }
                __pipeline_commit();
                {
                    auto &As = As_stage[stage];
                    auto &Bs = Bs_stage[stage];
                    for (int k = 0; k < 32; ++k)
                        for (int i = 0; i < 4; ++i)
                            acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &As = As_stage[stage];
                auto &Bs = Bs_stage[stage];
                for (int k = 0; k < 32; ++k)
                    for (int i = 0; i < 4; ++i)
                        acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
            }
        }
    }
    for (int i = 0; i < 4; ++i)
        C[(blockIdx.x * 32 + ty + 8 * i) * 32 + tx] = acc[i];
}
