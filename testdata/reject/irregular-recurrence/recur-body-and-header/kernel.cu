// Block-sparse product: `skip` tells how many empty K-blocks follow.
constexpr int BLK = 16;

__global__ void bsr_like(const float *__restrict__ A, const float *__restrict__ B,
                         float *__restrict__ C, const int *__restrict__ skip,
                         int M, int N, int nblk)
{
    __shared__ float sA[BLK][BLK];
    __shared__ float sB[BLK][BLK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLK + ty, col = blockIdx.x * BLK + tx;
    float r = 0.f;

    for (int kb = 0; kb < nblk; ++kb) {
        sA[ty][tx] = A[row * nblk * BLK + kb * BLK + tx];
        sB[ty][tx] = B[(kb * BLK + ty) * N + col];
        __syncthreads();
        for (int i = 0; i < BLK; ++i)
            r += sA[ty][i] * sB[i][tx];
        __syncthreads();
        kb += skip[blockIdx.y * nblk + kb];
    }
    if (row < M) C[row * N + col] = r;
}
