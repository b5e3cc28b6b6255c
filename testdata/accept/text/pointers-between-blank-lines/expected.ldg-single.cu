// Each thread's places in two tiles are made in front of the loop, set apart by blank lines. With
// asynchronous copies they are made in each stage, and no rows of blank lines stay behind. The
// kernel has a prototype above the code that launches it.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K);

void launch_product(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + 15) / 16, (M + 15) / 16), block(16, 16);
    product<<<grid, block>>>(A, B, C, M, N, K);
}

// pipelinify: launch product
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,80,112
//   sizes    M=33 N=20 K=40
//   target   M=1024 N=1024 K=1024
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[16 * 16];
    __shared__ float b_tile[16 * 16];

    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    float *a_cell = a_tile +
                    threadIdx.y * 16 +
                    threadIdx.x;

    float *b_cell = b_tile + threadIdx.y * 16 + threadIdx.x;


    const float *a_row = a_tile + threadIdx.y * 16;
    const float *b_column = b_tile + threadIdx.x;

    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 42aae64b
    int k = 0;
    if (k < K) {
        *a_cell = row < M && k + (int)threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0.0f;
        *b_cell = k + (int)threadIdx.y < K && col < N ? B[(k + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < K; k += 16) {
            float a_cell_next = row < M &&
                                k + (int)threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0.0f;
            float b_cell_next = k + (int)threadIdx.y < K &&
                                col < N ? B[(k + threadIdx.y) * N + col] : 0.0f;
            for (int i = 0; i < 16; ++i)
                sum += a_row[i] * b_column[i * 16];
            __syncthreads();
            *a_cell = a_cell_next;
            *b_cell = b_cell_next;
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i)
            sum += a_row[i] * b_column[i * 16];
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}

// pipelinify: launch sums
//   sizes    n=0,1,2,3,5,8
//   target   n=4096
//   grid     2
//   block    32
//   in:      in  [2 * n * 32]
//   out:     out [64]
//   n:       n
__global__ void sums(const float *in, float *out, int n)
{
    __shared__ float cells[32];
    float sum = 0.0f;
    // This thread's own.
    float *own = cells + threadIdx.x;

    // And where it begins to read.

    float *first = cells + (threadIdx.x & ~3);
    // pipelinify: ldg-single, 1 stage, source c97d783b
    int k = 0, k_tile = k;
    if (k < n) {
        *own = in[(blockIdx.x * n + k) * 32 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float own_next = in[(blockIdx.x * n + k) * 32 + threadIdx.x];
            for (int i = 0; i < 4; ++i)
                sum += (k_tile + 1) * first[i];
            ++k_tile;
            __syncthreads();
            *own = own_next;
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i)
            sum += (k_tile + 1) * first[i];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
