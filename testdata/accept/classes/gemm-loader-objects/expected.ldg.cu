// GEMM with a bias, whose tiles are filled by objects that carry the matrix with them, and by a
// function from another namespace with a default argument.
#include <cuda_runtime.h>

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

    __device__ __forceinline__ auto load_fetch(int r0, int c0) const
    {
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        float tile_next = holds(r, c) ? data[r * ld + c] : 0.0f;
        return tile_next;
    }

    __device__ __forceinline__ void load_store(float (&tile)[kTile][kTile], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
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

    __device__ __forceinline__ auto load_transposed_fetch(int r0, int c0) const
    {
        struct {
            float tile_next;
        } next;
        const int r = r0 + threadIdx.y;
        const int c = c0 + threadIdx.x;
        if (holds(r, c))
            next.tile_next = data[r * ld + c];
        else
            next.tile_next = 0.0f;
        return next;
    }

    template <typename Registers>
    __device__ __forceinline__ void load_transposed_store(float (&tile)[kTile][kTile + 1], const Registers &next) const
    {
        tile[threadIdx.x][threadIdx.y] = next.tile_next;
    }
};

__device__ void load_row(float *row, const float *src, int n, float beyond = 1.0f)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = threadIdx.x < n ? src[threadIdx.x] : beyond;
}

__device__ auto load_row_fetch(const float *src, int n, float beyond = 1.0f)
{
    struct {
        float row_next;
    } next;
    if (threadIdx.y == 0)
        next.row_next = threadIdx.x < n ? src[threadIdx.x] : beyond;
    return next;
}

template <typename Registers>
__device__ void load_row_store(float *row, const Registers &next)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = next.row_next;
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
    __shared__ float At_stage[2][tiles::kTile][tiles::kTile + 1];
    __shared__ float Bs_stage[2][tiles::kTile][tiles::kTile];
    __shared__ float weights_stage[2][tiles::kTile];
    __shared__ float offsets_stage[2][tiles::kTile];
    const tiles::GuardedMatrix a = {A, M, K, K};
    const tiles::GuardedMatrix b = {B, K, N, N};
    const int m0 = blockIdx.y * tiles::kTile;
    const int n0 = blockIdx.x * tiles::kTile;
    float acc = 0.0f;

    // pipelinify: ldg, 2 stages, source 32824c0a
    int k0 = 0, stage = 0;
    if (k0 < K) {
        a.load_transposed(At_stage[0], m0, k0);
        b(Bs_stage[0], k0, n0);
        load_row(weights_stage[0], scale + k0, K - k0);
        load_row(offsets_stage[0], offset + k0, K - k0, 0.0f);
        k0 += tiles::kTile;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k0 < K; k0 += tiles::kTile) {
            auto At_next = a.load_transposed_fetch(m0, k0);
            auto Bs_next = b.load_fetch(k0, n0);
            auto weights_next = tiles::load_row_fetch(scale + k0, K - k0);
            auto offsets_next = tiles::load_row_fetch(offset + k0, K - k0, 0.0f);
            for (int k = 0; k < tiles::kTile; ++k)
                acc += At_stage[stage][k][threadIdx.y] * (Bs_stage[stage][k][threadIdx.x] * weights_stage[stage][k] +
                                                          offsets_stage[stage][k]);
            stage ^= 1;
            a.load_transposed_store(At_stage[stage], At_next);
            b.load_store(Bs_stage[stage], Bs_next);
            tiles::load_row_store(weights_stage[stage], weights_next);
            tiles::load_row_store(offsets_stage[stage], offsets_next);
            __syncthreads();
        }
        for (int k = 0; k < tiles::kTile; ++k)
            acc += At_stage[stage][k][threadIdx.y] * (Bs_stage[stage][k][threadIdx.x] * weights_stage[stage][k] +
                                                      offsets_stage[stage][k]);
    }

    const int row = m0 + threadIdx.y;
    const int col = n0 + threadIdx.x;
    if (row < M && col < N)
        C[row * N + col] = acc;
}
