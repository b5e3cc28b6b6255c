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
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source 5952a454
    {
        int k0 = 0;
        auto k0_load = k0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < a.cols) {
                auto &As = As_stage[load_stage];
                auto &Bs = Bs_stage[load_stage];
                auto &k0 = k0_load;
                if (r < a.rows && k0 + tx < a.cols) {
                    __pipeline_memcpy_async(&As[ty][tx], &a(r, k0 + tx), sizeof(float));
                } else {
                    As[ty][tx] = 0.f;
                }
                if (c < b.cols && k0 + ty < a.cols) {
                    __pipeline_memcpy_async(&Bs[ty][tx], &b(k0 + ty, c), sizeof(float));
                } else {
                    Bs[ty][tx] = 0.f;
                }
                k0 += T;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k0 < a.cols; k0 += T) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &As = As_stage[stage];
                auto &Bs = Bs_stage[stage];
                for (int e = 0; e < T; ++e)
                    acc += As[ty][e] * Bs[e][tx];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
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
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const Matrix a = {A, K}, b = {B, N};
    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source ec319d8d
    {
        int k0 = 0;
        auto k0_load = k0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < K) {
                auto &As = As_stage[load_stage];
                auto &Bs = Bs_stage[load_stage];
                auto &k0 = k0_load;
                if (r < M && k0 + tx < K) {
                    __pipeline_memcpy_async(&As[ty][tx], &a[r][k0 + tx], sizeof(float));
                } else {
                    As[ty][tx] = 0.f;
                }
                if (c < N && k0 + ty < K) {
                    __pipeline_memcpy_async(&Bs[ty][tx], &b[k0 + ty][c], sizeof(float));
                } else {
                    Bs[ty][tx] = 0.f;
                }
                k0 += T;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k0 < K; k0 += T) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &As = As_stage[stage];
                auto &Bs = Bs_stage[stage];
                for (int e = 0; e < T; ++e)
                    acc += As[ty][e] * Bs[e][tx];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
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
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source caff7984
    {
        int k0 = 0;
        auto k0_load = k0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < K) {
                auto &As = As_stage[load_stage];
                auto &Bs = Bs_stage[load_stage];
                auto &k0 = k0_load;
                if (r < M && k0 + tx < K) {
                    __pipeline_memcpy_async(&As[ty][tx], &cell(A, K, r, k0 + tx), sizeof(float));
                } else {
                    As[ty][tx] = 0.f;
                }
                if (c < N && k0 + ty < K) {
                    __pipeline_memcpy_async(&Bs[ty][tx], &cell(B, N, k0 + ty, c), sizeof(float));
                } else {
                    Bs[ty][tx] = 0.f;
                }
                k0 += T;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; k0 < K; k0 += T) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &As = As_stage[stage];
                auto &Bs = Bs_stage[stage];
                for (int e = 0; e < T; ++e)
                    acc += As[ty][e] * Bs[e][tx];
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}
