// C = A B plus the squared norm of every 16-wide row segment; the A tile is used again for the reduction.
#include <cuda_runtime.h>

static const int W = 16;

// pipelinify: launch matmul_row_norm
//   sizes    M=8 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=21 N=40 K=35
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   let      nb = (N + 15) / 16
//   grid     nb, (M + 7) / 8
//   block    16, 8
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   norms:   out [M * nb]
//   M:       M
//   N:       N
//   K:       K
__global__ void matmul_row_norm(const float * __restrict__ A, const float * __restrict__ B,
                                float * __restrict__ C, float * __restrict__ norms,
                                int M, int N, int K)
{
    __shared__ float a_stage[2][8][W];
    __shared__ float b_stage[2][W][W];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int m = blockIdx.y * 8 + ty;
    const int n = blockIdx.x * W + tx;
    float c = 0.0f;

    int stage = 0;
    // pipelinify: ldg, 2 stages, source 3c2e4de2
    int k = 0;
    if (k < K) {
        a_stage[0][ty][tx] = (m < M && k + tx < K) ? A[m * K + k + tx] : 0.0f;
        for (int r = ty; r < W; r += 8)
            b_stage[0][r][tx] = (k + r < K && n < N) ? B[(k + r) * N + n] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += W; k < K; k += W) {
            float b_next[W / 8];
            float a_next = (m < M && k + tx < K) ? A[m * K + k + tx] : 0.0f;
            #pragma unroll
            for (int slot = 0; slot < W / 8; ++slot) {
                int r = ty + slot * 8;
                if (r < W)
                    b_next[slot] = (k + r < K && n < N) ? B[(k + r) * N + n] : 0.0f;
            }

            for (int i = 0; i < W; ++i)
                c += a_stage[stage][ty][i] * b_stage[stage][i][tx];
            stage ^= 1;
            a_stage[stage][ty][tx] = a_next;
            #pragma unroll
            for (int slot = 0; slot < W / 8; ++slot) {
                int r = ty + slot * 8;
                if (r < W)
                    b_stage[stage][r][tx] = b_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < W; ++i)
            c += a_stage[stage][ty][i] * b_stage[stage][i][tx];
        __syncthreads();
    }

    a_stage[stage][ty][tx] = c * c;
    __syncthreads();
    for (int s = W / 2; s > 0; s >>= 1) {
        if (tx < s)
            a_stage[stage][ty][tx] += a_stage[stage][ty][tx + s];
        __syncthreads();
    }

    if (m < M) {
        if (n < N)
            C[m * N + n] = c;
        if (tx == 0)
            norms[m * gridDim.x + blockIdx.x] = a_stage[stage][ty][0];
    }
}
