// Views of matrices that give back the cell itself: its address is theirs.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float As_stage[stages][T][T], Bs_stage[stages][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: cp.async, 3 stages, source 5952a454
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < a.cols) {
            if (r < a.rows && k0_load + tx < a.cols) {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &a(r, k0_load + tx), sizeof(float));
            } else {
                As_stage[load_stage][ty][tx] = 0.f;
            }
            if (c < b.cols && k0_load + ty < a.cols) {
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &b(k0_load + ty, c), sizeof(float));
            } else {
                Bs_stage[load_stage][ty][tx] = 0.f;
            }
            k0_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < a.cols; k0 += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][ty][e] * Bs_stage[stage][e][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float As_stage[stages][T][T], Bs_stage[stages][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const Matrix a = {A, K}, b = {B, N};
    float acc = 0.f;
    // pipelinify: cp.async, 3 stages, source ec319d8d
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (r < M && k0_load + tx < K) {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &a[r][k0_load + tx], sizeof(float));
            } else {
                As_stage[load_stage][ty][tx] = 0.f;
            }
            if (c < N && k0_load + ty < K) {
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &b[k0_load + ty][c], sizeof(float));
            } else {
                Bs_stage[load_stage][ty][tx] = 0.f;
            }
            k0_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][ty][e] * Bs_stage[stage][e][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float As_stage[stages][T][T], Bs_stage[stages][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: cp.async, 3 stages, source caff7984
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (r < M && k0_load + tx < K) {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &cell(A, K, r, k0_load + tx), sizeof(float));
            } else {
                As_stage[load_stage][ty][tx] = 0.f;
            }
            if (c < N && k0_load + ty < K) {
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &cell(B, N, k0_load + ty, c), sizeof(float));
            } else {
                Bs_stage[load_stage][ty][tx] = 0.f;
            }
            k0_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][ty][e] * Bs_stage[stage][e][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (r < M && c < N)
        C[r * N + c] = acc;
}
