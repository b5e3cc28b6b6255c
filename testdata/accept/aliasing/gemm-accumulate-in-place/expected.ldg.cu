// C += A B without a register accumulator: every K tile is added to C in global memory straight away.

#define N_TILE 8

// pipelinify: launch gemm_inplace
//   sizes    M=8 N=8 K=0,1,7,8,9,16,24,32,40
//   sizes    M=15 N=20 K=21
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 7) / 8, (M + 7) / 8
//   block    8, 8
//   A:       in    [M * K]
//   B:       in    [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_inplace(float *A, float *B, float *C, int M, int N, int K)
{
    __shared__ float a_stage[2][N_TILE][N_TILE];
    __shared__ float b_stage[2][N_TILE][N_TILE];

    int y = threadIdx.y + N_TILE * blockIdx.y;
    int x = threadIdx.x + N_TILE * blockIdx.x;
    int tiles = (K + N_TILE - 1) / N_TILE;

    // pipelinify: ldg, 2 stages, source da8e3252
    int t = 0, stage = 0;
    if (t < tiles) {
        auto compute_tile = [&]() {
            float part = 0;
            for (int k = 0; k < N_TILE; k++)
                part += a_stage[stage][threadIdx.y][k] * b_stage[stage][k][threadIdx.x];
            if (y < M && x < N)
                C[y * N + x] += part;
        };
        {
            int ka = t * N_TILE + threadIdx.x;
            int kb = t * N_TILE + threadIdx.y;
            a_stage[0][threadIdx.y][threadIdx.x] = (y < M && ka < K) ? A[y * K + ka] : 0;
            b_stage[0][threadIdx.y][threadIdx.x] = (x < N && kb < K) ? B[kb * N + x] : 0;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            int ka = t * N_TILE + threadIdx.x;
            int kb = t * N_TILE + threadIdx.y;
            float a_next = (y < M && ka < K) ? A[y * K + ka] : 0;
            float b_next = (x < N && kb < K) ? B[kb * N + x] : 0;
            compute_tile();
            stage ^= 1;
            a_stage[stage][threadIdx.y][threadIdx.x] = a_next;
            b_stage[stage][threadIdx.y][threadIdx.x] = b_next;
            __syncthreads();
        }
        compute_tile();
    }
}
