#include <cuda_pipeline.h>

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
__global__ void rows(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int K) {
    constexpr int stages = 3;
    __shared__ float As_stage[stages][32][33];
    __shared__ float Bs_stage[stages][32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *Ab = A + (size_t)blockIdx.x * 32 * K;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    // pipelinify: cp.async, 3 stages, source 2e69cec9
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            for (int r = ty; r < 32; r += 8) {
                float *arow = As_stage[load_stage][r];
                const float *src = &Ab[r * K + k0_load];
                __pipeline_memcpy_async(&arow[tx], &src[tx], sizeof(float),
                                        (k0_load + tx < K) ? 0 : sizeof(float));
                float *bcell = &Bs_stage[load_stage][r][tx];
                __pipeline_memcpy_async(bcell, &B[(k0_load + r) * 32 + tx],
                                        sizeof(float),
                                        (k0_load + r < K) ? 0 : sizeof(float));
            }
            k0_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += As_stage[stage][ty + 8 * i][k] *
                          Bs_stage[stage][k][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i)
        C[(blockIdx.x * 32 + ty + 8 * i) * 32 + tx] = acc[i];
}
