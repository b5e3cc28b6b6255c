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
    __shared__ float As_stage[2][32][33];
    __shared__ float Bs_stage[2][32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *Ab = A + (size_t)blockIdx.x * 32 * K;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    // pipelinify: ldg, 2 stages, source 2e69cec9
    int k0 = 0, stage = 0;
    if (k0 < K) {
        for (int r = ty; r < 32; r += 8) {
            float *arow = As_stage[0][r];
            const float *src = &Ab[r * K + k0];
            arow[tx] = k0 + tx < K ? src[tx] : 0.f;
            float *bcell = &Bs_stage[0][r][tx];
            *bcell = k0 + r < K ? B[(k0 + r) * 32 + tx] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < K; k0 += 32) {
            float arow_next[4];
            float Bs_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int r = ty + slot * 8;
                if (r < 32) {
                    const float *src = &Ab[r * K + k0];
                    arow_next[slot] = k0 + tx < K ? src[tx] : 0.f;
                    Bs_next[slot] = k0 + r < K ? B[(k0 + r) * 32 + tx] : 0.f;
                }
            }
            for (int k = 0; k < 32; ++k)
                for (int i = 0; i < 4; ++i)
                    acc[i] += As_stage[stage][ty + 8 * i][k] *
                              Bs_stage[stage][k][tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int r = ty + slot * 8;
                if (r < 32) {
                    float *arow = As_stage[stage][r];
                    arow[tx] = arow_next[slot];
                    float *bcell = &Bs_stage[stage][r][tx];
                    *bcell = Bs_next[slot];
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += As_stage[stage][ty + 8 * i][k] *
                          Bs_stage[stage][k][tx];
    }
    for (int i = 0; i < 4; ++i)
        C[(blockIdx.x * 32 + ty + 8 * i) * 32 + tx] = acc[i];
}
