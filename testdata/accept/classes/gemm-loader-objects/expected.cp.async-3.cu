// GEMM with a bias, whose tiles are filled by objects that carry the matrix with them, and by a
// function from another namespace with a default argument.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace tiles {

constexpr int kTile = 16;

/// A row-major matrix that reads as zero beyond its edges.
struct GuardedMatrix {
    const float *data;
    int rows;
    int cols;
    int ld;

    __device__ bool holds(int r, int c) const { return r < rows && c < cols; }

    __device__ __forceinline__ void operator()(float (&tile)[kTile][kTile], int r0, int c0) const
    {
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = holds(r, c) ? data[r * ld + c] : 0.0f;
    }

    __device__ __forceinline__ void load_async(float (&tile)[kTile][kTile], int r0, int c0) const
    {
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        if (holds(r, c)) {
            __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &data[r * ld + c], sizeof(float));
        } else {
            tile[threadIdx.y][threadIdx.x] = 0.0f;
        }
    }

    /// The same, with rows and columns exchanged on the way.
    __device__ __forceinline__ void load_transposed(float (&tile)[kTile][kTile + 1], int r0, int c0) const
    {
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        if (holds(r, c))
            tile[threadIdx.x][threadIdx.y] = data[r * ld + c];
        else
            tile[threadIdx.x][threadIdx.y] = 0.0f;
    }

    __device__ __forceinline__ void load_transposed_async(float (&tile)[kTile][kTile + 1], int r0, int c0) const
    {
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        if (holds(r, c))
            __pipeline_memcpy_async(&tile[threadIdx.x][threadIdx.y], &data[r * ld + c], sizeof(float));
        else
            tile[threadIdx.x][threadIdx.y] = 0.0f;
    }
};

__device__ void load_row(float *row, const float *src, int n, float beyond = 1.0f)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = threadIdx.x < n ? src[threadIdx.x] : beyond;
}

__device__ void load_row_async(float *row, const float *src, int n, float beyond = 1.0f)
{
    if (threadIdx.y == 0) {
        if (threadIdx.x < n) {
            __pipeline_memcpy_async(&row[threadIdx.x], &src[threadIdx.x], sizeof(float));
        } else {
            row[threadIdx.x] = beyond;
        }
    }
}

} // namespace tiles

using tiles::load_row;

// pipelinify: launch scaled_gemm
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=31 N=17 K=40
//   target   M=1024 N=1024 K=1024
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   scale:   in  [K]
//   offset:  in  [K]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void scaled_gemm(const float *A, const float *B, const float *scale, const float *offset,
                            float *__restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float At_stage[stages][tiles::kTile][tiles::kTile + 1];
    __shared__ float Bs_stage[stages][tiles::kTile][tiles::kTile];
    __shared__ float weights_stage[stages][tiles::kTile];
    __shared__ float offsets_stage[stages][tiles::kTile];
    const tiles::GuardedMatrix a = {A, M, K, K};
    const tiles::GuardedMatrix b = {B, K, N, N};
    const int m0 = blockIdx.y * tiles::kTile;
    const int n0 = blockIdx.x * tiles::kTile;
    float acc = 0.0f;

    // pipelinify: cp.async, 3 stages, source 32824c0a
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            auto &k0 = k0_load;
            a.load_transposed_async(At_stage[load_stage], m0, k0);
            b.load_async(Bs_stage[load_stage], k0, n0);
            tiles::load_row_async(weights_stage[load_stage], scale + k0, K - k0);
            tiles::load_row_async(offsets_stage[load_stage], offset + k0, K - k0, 0.0f);
            k0 += tiles::kTile;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += tiles::kTile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < tiles::kTile; ++k)
            acc += At_stage[stage][k][threadIdx.y] * (Bs_stage[stage][k][threadIdx.x] * weights_stage[stage][k] +
                                                      offsets_stage[stage][k]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    const int row = m0 + threadIdx.y;
    const int col = n0 + threadIdx.x;
    if (row < M && col < N)
        C[row * N + col] = acc;
}
