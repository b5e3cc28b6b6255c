#define TK 16

// B changes only every other step: its tile is loaded on even steps.
__global__ void gemm_reuse_b(const float *__restrict__ A, const float *__restrict__ B,
                             float *__restrict__ C, int lda, int ldb, int steps)
{
    __shared__ float As[TK][TK];
    __shared__ float Bs[TK][TK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TK + ty, col = blockIdx.x * TK + tx;
    float acc = 0.f;
    for (int s = 0; s < steps; s++) {
        As[ty][tx] = A[row * lda + s * TK + tx];
        if ((s & 1) == 0)
            Bs[ty][tx] = B[((s >> 1) * TK + ty) * ldb + col];
        __syncthreads();
        for (int k = 0; k < TK; k++)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * ldb + col] = acc;
}
