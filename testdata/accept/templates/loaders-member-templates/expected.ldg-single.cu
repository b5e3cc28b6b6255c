// Loaders whose load is a template within a class template: a view of a matrix that
// fills tiles of two shapes; a base class that asks its derived class for each value.
#include <cuda_runtime.h>
template <typename T>
class GlobalView {
public:
    __device__ GlobalView(const T *p, int rows, int cols) : p_(p), rows_(rows), cols_(cols) {}
    template <int R, int C>
    __device__ __forceinline__ void load(T (&tile)[R][C], int r0, int c0) const
    {
        for (int r = threadIdx.y; r < R; r += blockDim.y)
            tile[r][threadIdx.x] = r0 + r < rows_ && c0 + threadIdx.x < cols_ ? p_[(r0 + r) * cols_ + c0 + threadIdx.x] : T(0);
    }

    template <int R, int C>
    __device__ __forceinline__ auto load_fetch(T (&tile)[R][C], int r0, int c0) const
    {
        struct {
            T tile_next[2];
        } next;
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int r = threadIdx.y + slot * blockDim.y;
            if (r < R)
                next.tile_next[slot] = r0 + r < rows_ &&
                                       c0 + threadIdx.x < cols_ ? p_[(r0 + r) * cols_ + c0 + threadIdx.x] : T(0);
        }
        return next;
    }

    template <int R, int C, typename Registers>
    __device__ __forceinline__ void load_store(T (&tile)[R][C], int r0, int c0, const Registers &next) const
    {
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int r = threadIdx.y + slot * blockDim.y;
            if (r < R)
                tile[r][threadIdx.x] = next.tile_next[slot];
        }
        // What has not been fetched ahead.
        for (int r = threadIdx.y + 2 * blockDim.y; r < R; r += blockDim.y)
            tile[r][threadIdx.x] = r0 + r < rows_ && c0 + threadIdx.x < cols_ ? p_[(r0 + r) * cols_ + c0 + threadIdx.x] : T(0);
    }

private:
    const T *p_;
    int rows_, cols_;
};
// pipelinify: launch gemm_views
//   sizes    M=32,33 N=16 K=0,1,16,17,32,50
//   target   M=1024 N=1024 K=1024
//   grid     (N + 15) / 16, (M + 31) / 32
//   block    16, 16
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_views(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float as[32][16];
    __shared__ float bs[16][16];
    const GlobalView<float> a(A, M, K), b(B, K, N);
    const int m0 = blockIdx.y * 32, n0 = blockIdx.x * 16;
    float c0 = 0.f, c1 = 0.f;
    // pipelinify: ldg-single, 1 stage, source c2c98b5d
    int k = 0;
    if (k < K) {
        auto compute_tile = [&]() {
            #pragma unroll
            for (int i = 0; i < 16; ++i) {
                c0 += as[threadIdx.y][i] * bs[i][threadIdx.x];
                c1 += as[threadIdx.y + 16][i] * bs[i][threadIdx.x];
            }
        };
        a.load(as, m0, k);
        b.load(bs, k, n0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < K; k += 16) {
            auto as_next = a.load_fetch(as, m0, k);
            auto bs_next = b.load_fetch(bs, k, n0);
            compute_tile();
            __syncthreads();
            a.load_store(as, m0, k, as_next);
            b.load_store(bs, k, n0, bs_next);
            __syncthreads();
        }
        compute_tile();
    }
    const int r = m0 + threadIdx.y, c = n0 + threadIdx.x;
    if (r < M && c < N)
        C[r * N + c] = c0;
    if (r + 16 < M && c < N)
        C[(r + 16) * N + c] = c1;
}

template <class Derived>
struct LoaderBase {
    __device__ __forceinline__ float at(int r, int c) const { return static_cast<const Derived *>(this)->at_impl(r, c); }
    template <int R, int C, int P>
    __device__ __forceinline__ void load(float (&tile)[R][C + P], int r0, int c0) const
    {
        tile[threadIdx.y][threadIdx.x] = at(r0 + threadIdx.y, c0 + threadIdx.x);
    }

    template <int R, int C, int P>
    __device__ __forceinline__ auto load_fetch(float (&tile)[R][C + P], int r0, int c0) const
    {
        float tile_next = at(r0 + threadIdx.y, c0 + threadIdx.x);
        return tile_next;
    }

    template <int R, int C, int P>
    __device__ __forceinline__ void load_store(float (&tile)[R][C + P], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
};

struct RowMajor : LoaderBase<RowMajor> {
    const float *__restrict__ p;
    int rows, cols, ld;
    __device__ RowMajor(const float *p_, int r, int c, int l) : p(p_), rows(r), cols(c), ld(l) {}
    __device__ __forceinline__ float at_impl(int r, int c) const
    {
        return r < rows && c < cols ? __ldg(p + r * ld + c) : 0.f;
    }
};

// pipelinify: launch syrk
//   sizes    n=16,20,33 k=0,1,15,16,17,32,50
//   target   n=1024 k=1024
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    16, 16
//   A: in [n * k + 1]
//   C: inout [n * n]
//   n: n
//   k: k
//   alpha: 0.5
__global__ void syrk(const float *__restrict__ A, float *__restrict__ C, int n, int k, float alpha)
{
    if (blockIdx.x > blockIdx.y)
        return;
    __shared__ float As[16][16 + 1];
    __shared__ float At[16][16 + 1];
    RowMajor loader(A, n, k, k);
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source 4dd49e6b
    int kk = 0;
    if (kk < k) {
        loader.load<16, 16, 1>(As, blockIdx.y * 16, kk);
        loader.load<16, 16, 1>(At, blockIdx.x * 16, kk);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (kk += 16; kk < k; kk += 16) {
            auto As_next = loader.load_fetch<16, 16, 1>(As, blockIdx.y * 16, kk);
            auto At_next = loader.load_fetch<16, 16, 1>(At, blockIdx.x * 16, kk);
            #pragma unroll
            for (int p = 0; p < 16; ++p)
                acc += As[threadIdx.y][p] * At[threadIdx.x][p];
            __syncthreads();
            loader.load_store<16, 16, 1>(As, As_next);
            loader.load_store<16, 16, 1>(At, At_next);
            __syncthreads();
        }
        #pragma unroll
        for (int p = 0; p < 16; ++p)
            acc += As[threadIdx.y][p] * At[threadIdx.x][p];
    }
    const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r < n && c <= r)
        C[r * n + c] += alpha * acc;
}
