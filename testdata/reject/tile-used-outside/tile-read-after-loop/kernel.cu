#define T 16

// For each matrix of a batch the last tile of A serves once more, for the
// diagonal. A batch without tiles finds there what the one before it left.
__global__ void gemm_plus_last(const float *__restrict__ A, const float *__restrict__ B,
                               float *__restrict__ C, const int *__restrict__ depth, int n, int batch)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    for (int m = 0; m < batch; ++m) {
        float sum = 0.f;
        for (int k = 0; k < depth[m]; k += T) {
            As[ty][tx] = A[(m * n + row) * n + k + tx];
            Bs[ty][tx] = B[(m * n + k + ty) * n + col];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += As[ty][i] * Bs[i][tx];
            __syncthreads();
        }
        sum += As[tx][ty];
        C[(m * n + row) * n + col] = sum;
        __syncthreads();
    }
}
