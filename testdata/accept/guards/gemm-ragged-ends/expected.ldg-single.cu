// GEMM whose full tiles run without guards: the ragged one is multiplied behind
// the loop in one kernel, before it in the other, in the loop's own tiles.
#include <cuda_runtime.h>

constexpr int T = 16;

template <int TILE>
__device__ void multiply(const float (&a)[TILE][TILE], const float (&b)[TILE][TILE], float &c)
{
    #pragma unroll
    for (int i = 0; i < TILE; i++)
        c += a[threadIdx.y][i] * b[i][threadIdx.x];
}

// pipelinify: launch gemm_peeled
//   sizes    M=16 N=32 K=0,1,15,16,17,31,32,48,50,64,113
//   target   M=1024 N=1024 K=1032
//   grid     N / 16, M / 16
//   block    16, 16
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_peeled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[16][16], b[16][16];
    const float *pa = A + (blockIdx.y * 16 + threadIdx.y) * K + threadIdx.x;
    const float *pb = B + threadIdx.y * N + blockIdx.x * 16 + threadIdx.x;
    float c = 0;
    int k = 0;
    // pipelinify: ldg-single, 1 stage, source 8c3318ba
    if (k + 16 <= K) {
        a[threadIdx.y][threadIdx.x] = *pa;
        b[threadIdx.y][threadIdx.x] = *pb;
        pa += 16;
        pb += 16 * N;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k + 16 <= K; k += 16) {
            float a_next = *pa;
            float b_next = *pb;
            multiply<16>(a, b, c);
            __syncthreads();
            a[threadIdx.y][threadIdx.x] = a_next;
            b[threadIdx.y][threadIdx.x] = b_next;
            pa += 16;
            pb += 16 * N;
            __syncthreads();
        }
        multiply<16>(a, b, c);
        __syncthreads();
    }
    if (k < K) {
        a[threadIdx.y][threadIdx.x] = k + threadIdx.x < K ? *pa : 0.f;
        b[threadIdx.y][threadIdx.x] = k + threadIdx.y < K ? *pb : 0.f;
        __syncthreads();
        multiply<16>(a, b, c);
    }
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = c;
}

// pipelinify: launch dgemm_ragged_first
//   sizes    M=16 N=16 K=1,15,16,17,32,33,48,64,113
//   target   M=1024 N=1024 K=1032
//   grid     N / 16, M / 16
//   block    16, 16
//   A: in [M * K]
//   B: in [K * N]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void dgemm_ragged_first(const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C, int M, int N, int K)
{
    __shared__ double sA[T][T], sB[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    A += blockIdx.y * T * K;
    B += blockIdx.x * T;
    double sum = 0.0;
    const int head = K % T == 0 ? T : K % T;
    sA[ty][tx] = tx < head ? A[ty * K + tx] : 0.0;
    sB[ty][tx] = ty < head ? B[ty * N + tx] : 0.0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
        sum += sA[ty][k] * sB[k][tx];
    __syncthreads();
    A += head;
    B += head * N;
    // pipelinify: ldg-single, 1 stage, source f15e985b
    int t = (K - head) / T;
    if (t > 0) {
        sA[ty][tx] = A[ty * K + tx];
        sB[ty][tx] = B[ty * N + tx];
        A += T;
        B += T * N;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (--t; t > 0; --t) {
            double sA_next = A[ty * K + tx];
            double sB_next = B[ty * N + tx];
            #pragma unroll
            for (int k = 0; k < T; ++k)
                sum += sA[ty][k] * sB[k][tx];
            __syncthreads();
            sA[ty][tx] = sA_next;
            sB[ty][tx] = sB_next;
            A += T;
            B += T * N;
            __syncthreads();
        }
        #pragma unroll
        for (int k = 0; k < T; ++k)
            sum += sA[ty][k] * sB[k][tx];
    }
    C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx] = sum;
}
