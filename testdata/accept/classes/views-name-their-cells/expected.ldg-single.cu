// Views of matrices that give back the cell itself: its address is theirs.
#include <cuda_runtime.h>

constexpr int T = 16;

template <typename Element>
struct View {
    Element *data;
    int rows, cols;

    __device__ Element &operator()(int r, int c) const { return data[r * cols + c]; }
};

// pipelinify: launch gemm_of_views
//   sizes    M=16,20 N=17 K=0,1,16,20,33,48,80
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_of_views(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                              int M, int N, int K)
{
    const View<const float> a = {A, M, K}, b = {B, K, N};
    const View<float> sums = {C, M, N};
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source 5952a454
    int k0 = 0;
    if (k0 < a.cols) {
        As[ty][tx] = r < a.rows && k0 + tx < a.cols ? a(r, k0 + tx) : 0.f;
        Bs[ty][tx] = c < b.cols && k0 + ty < a.cols ? b(k0 + ty, c) : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < a.cols; k0 += T) {
            float As_next = r < a.rows && k0 + tx < a.cols ? a(r, k0 + tx) : 0.f;
            float Bs_next = c < b.cols && k0 + ty < a.cols ? b(k0 + ty, c) : 0.f;
            for (int e = 0; e < T; ++e)
                acc += As[ty][e] * Bs[e][tx];
            __syncthreads();
            As[ty][tx] = As_next;
            Bs[ty][tx] = Bs_next;
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
    }
    if (r < a.rows && c < b.cols)
        sums(r, c) = acc;
}

// A row of it first, then its cell.
struct Row {
    const float *first;

    __device__ const float &operator[](int c) const { return first[c]; }
};

struct Matrix {
    const float *data;
    int ld;

    __device__ Row operator[](int r) const { return Row{data + r * ld}; }
};

// pipelinify: launch gemm_by_rows
//   sizes    M=16,20 N=17 K=0,1,16,20,33,48,80
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_by_rows(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                             int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const Matrix a = {A, K}, b = {B, N};
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source ec319d8d
    int k0 = 0;
    if (k0 < K) {
        As[ty][tx] = r < M && k0 + tx < K ? a[r][k0 + tx] : 0.f;
        Bs[ty][tx] = c < N && k0 + ty < K ? b[k0 + ty][c] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T) {
            float As_next = r < M && k0 + tx < K ? a[r][k0 + tx] : 0.f;
            float Bs_next = c < N && k0 + ty < K ? b[k0 + ty][c] : 0.f;
            for (int e = 0; e < T; ++e)
                acc += As[ty][e] * Bs[e][tx];
            __syncthreads();
            As[ty][tx] = As_next;
            Bs[ty][tx] = Bs_next;
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}

// A function does so, too.
__device__ __forceinline__ const float &cell(const float *data, int ld, int r, int c)
{
    return *(data + r * ld + c);
}

// pipelinify: launch gemm_by_cells
//   sizes    M=16,20 N=17 K=0,1,16,20,33,48,80
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_by_cells(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                              int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source caff7984
    int k0 = 0;
    if (k0 < K) {
        As[ty][tx] = r < M && k0 + tx < K ? cell(A, K, r, k0 + tx) : 0.f;
        Bs[ty][tx] = c < N && k0 + ty < K ? cell(B, N, k0 + ty, c) : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T) {
            float As_next = r < M && k0 + tx < K ? cell(A, K, r, k0 + tx) : 0.f;
            float Bs_next = c < N && k0 + ty < K ? cell(B, N, k0 + ty, c) : 0.f;
            for (int e = 0; e < T; ++e)
                acc += As[ty][e] * Bs[e][tx];
            __syncthreads();
            As[ty][tx] = As_next;
            Bs[ty][tx] = Bs_next;
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}
