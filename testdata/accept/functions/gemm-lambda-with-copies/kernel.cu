// The lambda that fills the tiles takes copies of what it names, which nothing sets again: so do its
// split forms.
#include <cuda_runtime.h>

// pipelinify: launch gemm<float>
//   sizes    M=16,20 N=16,17 K=0,1,16,33,48
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <typename T>
__global__ void gemm(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int M, int N, int K)
{
    constexpr int TILE = 16;
    __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    T sum = T(0);

    // Beyond the matrix there are zeros.
    auto load_tile = [=](int k0) {
        const bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
        as[ty][tx] = a ? A[row * K + k0 + tx] : T(0);
        bs[ty][tx] = b ? B[(k0 + ty) * N + col] : T(0);
    };
    auto multiply = [&] {
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += as[ty][k] * bs[k][tx];
    };

    for (int k0 = 0; k0 < K; k0 += TILE) {
        load_tile(k0);
        __syncthreads();
        multiply();
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm<float><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
