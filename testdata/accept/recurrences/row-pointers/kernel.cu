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
    __shared__ float As[32][33];
    __shared__ float Bs[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *Ab = A + (size_t)blockIdx.x * 32 * K;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int k0 = 0; k0 < K; k0 += 32) {
        for (int r = ty; r < 32; r += 8) {
            float *arow = As[r];
            const float *src = &Ab[r * K + k0];
            arow[tx] = k0 + tx < K ? src[tx] : 0.f;
            float *bcell = &Bs[r][tx];
            *bcell = k0 + r < K ? B[(k0 + r) * 32 + tx] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        C[(blockIdx.x * 32 + ty + 8 * i) * 32 + tx] = acc[i];
}
