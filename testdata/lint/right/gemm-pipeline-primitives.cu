#include <cuda_pipeline.h>
// Three stages of 16-byte copies by the primitives; empty groups at the end.
#define STAGES 3
#define BM 32
#define BN 32
#define BK 16

__global__ void gemm3(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K)
{
    __shared__ __align__(16) float As[STAGES][BM][BK];
    __shared__ __align__(16) float Bs[STAGES][BK][BN];
    int tid = threadIdx.x;
    int ar = tid / 4, ac = tid % 4 * 4;
    int br = tid / 8, bc = tid % 8 * 4;
    const float *a = A + blockIdx.y * BM * K;
    const float *b = B + blockIdx.x * BN;
    int tiles = K / BK;
    float acc[8] = {};
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < tiles) {
            __pipeline_memcpy_async(&As[s][ar][ac], a + ar * K + s * BK + ac, 16);
            __pipeline_memcpy_async(&Bs[s][br][bc], b + (s * BK + br) * N + bc, 16);
        }
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int ahead = t + STAGES - 1;
        if (ahead < tiles) {
            int s = ahead % STAGES;
            __pipeline_memcpy_async(&As[s][ar][ac], a + ar * K + ahead * BK + ac, 16);
            __pipeline_memcpy_async(&Bs[s][br][bc], b + (ahead * BK + br) * N + bc, 16);
        }
        __pipeline_commit();
        int s = t % STAGES;
        for (int k = 0; k < BK; ++k)
            for (int j = 0; j < 8; ++j)
                acc[j] += As[s][ar][k] * Bs[s][k][(tid % 4) * 8 + j];
    }
    for (int j = 0; j < 8; ++j)
        C[(blockIdx.y * BM + ar) * N + blockIdx.x * BN + (tid % 4) * 8 + j] = acc[j];
}

int main()
{
    float *a, *b, *c;
    const int M = 64, N = 64, K = 96;
    cudaMalloc(&a, M * K * sizeof(float));
    cudaMalloc(&b, K * N * sizeof(float));
    cudaMalloc(&c, M * N * sizeof(float));
    gemm3<<<dim3(N / BN, M / BM), 128>>>(a, b, c, N, K);
    return cudaDeviceSynchronize();
}
