// Loaders whose load is a template within a class template: a view of a matrix that
// fills tiles of two shapes; a base class that asks its derived class for each value.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
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
    __device__ __forceinline__ void load_async(T (&tile)[R][C], int r0, int c0) const
    {
        static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                      alignof(T) == sizeof(T),
                      "asynchronous copies move 4, 8 or 16 aligned bytes");
        for (int r = threadIdx.y; r < R; r += blockDim.y) {
            if (r0 + r < rows_ && c0 + threadIdx.x < cols_) {
                __pipeline_memcpy_async(&tile[r][threadIdx.x], &p_[(r0 + r) * cols_ + c0 + threadIdx.x], sizeof(T));
            } else {
                tile[r][threadIdx.x] = T(0);
            }
        }
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
    __shared__ float as_stage[2][32][16];
    __shared__ float bs_stage[2][16][16];
    const GlobalView<float> a(A, M, K), b(B, K, N);
    const int m0 = blockIdx.y * 32, n0 = blockIdx.x * 16;
    float c0 = 0.f, c1 = 0.f;
    // pipelinify: cp.async, 2 stages, source c2c98b5d
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            a.load_async(as_stage[load_stage], m0, k_load);
            b.load_async(bs_stage[load_stage], k_load, n0);
            k_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        #pragma unroll
        for (int i = 0; i < 16; ++i) {
            c0 += as_stage[stage][threadIdx.y][i] * bs_stage[stage][i][threadIdx.x];
            c1 += as_stage[stage][threadIdx.y + 16][i] * bs_stage[stage][i][threadIdx.x];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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
    for (int kk = 0; kk < k; kk += 16) {
        loader.load<16, 16, 1>(As, blockIdx.y * 16, kk);
        loader.load<16, 16, 1>(At, blockIdx.x * 16, kk);
        __syncthreads();
        #pragma unroll
        for (int p = 0; p < 16; ++p)
            acc += As[threadIdx.y][p] * At[threadIdx.x][p];
        __syncthreads();
    }
    const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r < n && c <= r)
        C[r * n + c] += alpha * acc;
}
