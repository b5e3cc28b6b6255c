// C = A * B, row major. The leading dimension of B was renamed in the
// signature but not in the loop.
#define BS 16

__global__ void sgemm_bs16(const float *__restrict__ A,
                           const float *__restrict__ B,
                           float *__restrict__ C, int N, int K, int strideB)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BS + ty;
    const int col = blockIdx.x * BS + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += BS) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * ldb + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BS; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
