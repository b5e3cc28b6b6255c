// One text, two sizes of tile: each build sees a rewrite of its own.
// pipelinify: launch skinny_gemm
//   sizes n=32,64 k=0,32,64,96,128,160,192
//   target n=8192 k=2048
//   grid  n / 32
//   block 32
//   a: in    [8 * k + 1]
//   b: in    [k * n + 1]
//   c: inout [8 * n]
//   n: n
//   k: k
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TILE_K 32
#else
#define TILE_K 16
#endif

__global__ void skinny_gemm(const float *__restrict__ a,
                            const float *__restrict__ b,
                            float *__restrict__ c, int n, int k)
{
    __shared__ float at_stage[2][8][TILE_K];
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[8] = {0.f};

    // pipelinify: ldg, 2 stages, source 351dc0d5
    int k0 = 0, k0_tile = k0, stage = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            for (int kk = 0; kk < TILE_K; ++kk) {
                const float bv = b[(k0_tile + kk) * n + col];
#pragma unroll
                for (int r = 0; r < 8; ++r)
                    acc[r] += at_stage[stage][r][kk] * bv;
            }
        };
        if (threadIdx.x < 8) {
            for (int kk = 0; kk < TILE_K; ++kk)
                at_stage[0][threadIdx.x][kk] = a[threadIdx.x * k + k0 + kk];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE_K; k0 < k; k0 += TILE_K) {
            float at_next[TILE_K];
            if (threadIdx.x < 8) {
#pragma unroll
                for (int kk = 0; kk < TILE_K; ++kk)
                    at_next[kk] = a[threadIdx.x * k + k0 + kk];
            }
            compute_tile();
            k0_tile += TILE_K;
            stage ^= 1;
            if (threadIdx.x < 8) {
#pragma unroll
                for (int kk = 0; kk < TILE_K; ++kk)
                    at_stage[stage][threadIdx.x][kk] = at_next[kk];
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int r = 0; r < 8; ++r)
        c[r * n + col] = acc[r];
}
