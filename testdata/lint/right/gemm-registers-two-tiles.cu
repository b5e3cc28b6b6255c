// Two tiles, the next one on its way through registers; one barrier a tile.
#include <cuda_runtime.h>
constexpr int TS = 16;

__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TS][TS + 1];
    __shared__ float Bs[2][TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    const int tiles = K / TS;
    float sum = 0.0f;
    if (tiles > 0) {
        As[0][ty][tx] = A[row * K + tx];
        Bs[0][ty][tx] = B[ty * N + col];
        __syncthreads();
        int cur = 0;
        for (int t = 1; t < tiles; ++t) {
            float a = A[row * K + t * TS + tx];
            float b = B[(t * TS + ty) * N + col];
            for (int k = 0; k < TS; ++k)
                sum += As[cur][ty][k] * Bs[cur][k][tx];
            As[cur ^ 1][ty][tx] = a;
            Bs[cur ^ 1][ty][tx] = b;
            __syncthreads();
            cur ^= 1;
        }
        for (int k = 0; k < TS; ++k)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void run(const float *a, const float *b, float *c, int m, int n, int k)
{
    dim3 block(TS, TS), grid(n / TS, m / TS);
    gemm<<<grid, block>>>(a, b, c, m, n, k);
}
