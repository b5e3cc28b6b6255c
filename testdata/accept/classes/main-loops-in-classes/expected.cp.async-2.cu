// Main loops as methods: of an object that knows its operands, of a class template with sums of its
// own, of one that is handed the kernel's shared memory.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int kTile = 16;

// The operands are plain pointers; that the sum is none of what they point to, the kernel says.
struct Operands {
    const float *a;
    const float *b;
    int lda, ldb, depth;

    __device__ void multiply(int row, int col, float &sum) const
    {
        __shared__ float as_stage[2][kTile][kTile];
        __shared__ float bs_stage[2][kTile][kTile + 1];
        const int tx = threadIdx.x, ty = threadIdx.y;

        // pipelinify: cp.async, 2 stages, source c5997fb2
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < depth) {
                if (k0_load + tx < depth) {
                    __pipeline_memcpy_async(&as_stage[load_stage][ty][tx],
                                            &a[row * lda + k0_load + tx], sizeof(float));
                } else {
                    as_stage[load_stage][ty][tx] = 0.0f;
                }
                if (k0_load + ty < depth) {
                    __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx],
                                            &b[(k0_load + ty) * ldb + col], sizeof(float));
                } else {
                    bs_stage[load_stage][ty][tx] = 0.0f;
                }
                k0_load += kTile;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < depth; k0 += kTile) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < kTile; ++k)
                sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
};

// pipelinify: launch product_of_operands
//   sizes    M=16,32 N=16 K=0,1,15,16,17,32,47,64,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void product_of_operands(const float *__restrict__ A, const float *__restrict__ B,
                                    float *__restrict__ C, int N, int K)
{
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    const Operands operands{A, B, K, N, K};
    float sum = 0.0f;
    operands.multiply(row, col, sum);
    C[row * N + col] = sum;
}

// A column of sums for each thread, kept in the object.
template <typename T, int ROWS>
class ColumnOfSums {
public:
    __device__ ColumnOfSums(const T *a, const T *b, int lda, int ldb, int depth)
        : a_(a), b_(b), lda_(lda), ldb_(ldb), depth_(depth)
    {
        for (int r = 0; r < ROWS; ++r)
            sums_[r] = T(0);
    }

    __device__ void run(int row, int col)
    {
        __shared__ T as_stage[2][ROWS * kTile][kTile];
        __shared__ T bs_stage[2][kTile][kTile];
        const int tx = threadIdx.x, ty = threadIdx.y;

        // pipelinify: cp.async, 2 stages, source f1ad1671
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                      "T must be plain data and not volatile");
        static_assert(__is_trivially_copyable(T) &&
                      (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                      alignof(T) == sizeof(T), "asynchronous copies move 4, 8 or 16 aligned bytes");
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < depth_) {
#pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    __pipeline_memcpy_async(&as_stage[load_stage][r * kTile + ty][tx],
                                            &a_[(row + r * kTile) * lda_ + k0_load + tx],
                                            sizeof(T));
                __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx],
                                        &b_[(k0_load + ty) * ldb_ + col], sizeof(T));
                k0_load += kTile;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < depth_; k0 += kTile) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
#pragma unroll
            for (int k = 0; k < kTile; ++k)
                for (int r = 0; r < ROWS; ++r)
                    sums_[r] += as_stage[stage][r * kTile + ty][k] * bs_stage[stage][k][tx];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    __device__ T operator[](int r) const { return sums_[r]; }

private:
    const T *a_, *b_;
    int lda_, ldb_, depth_;
    T sums_[ROWS];
};

// pipelinify: launch product_by_columns
//   sizes    M=32 N=16,48 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 32
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void product_by_columns(const float *__restrict__ A, const float *__restrict__ B,
                                   float *__restrict__ C, int N, int K)
{
    const int row = blockIdx.y * 2 * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    ColumnOfSums<float, 2> product(A, B, K, N, K);
    product.run(row, col);
    for (int r = 0; r < 2; ++r)
        C[(row + r * kTile) * N + col] = product[r];
}

// The tiles lie in what the kernel declares, and goes on to use.
template <typename T, int TILE>
struct StreamedProduct {
    struct Storage {
        T as[TILE][TILE];
        T bs[TILE][TILE];
    };

    __device__ T run(Storage &tiles, const T *__restrict__ a, const T *__restrict__ b, int n,
                     int row, int col) const
    {
        const int tx = threadIdx.x, ty = threadIdx.y;
        T sum = T(0);
        for (int k0 = 0; k0 < n; k0 += TILE) {
            tiles.as[ty][tx] = a[row * n + k0 + tx];
            tiles.bs[ty][tx] = b[(k0 + ty) * n + col];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < TILE; ++k)
                sum += tiles.as[ty][k] * tiles.bs[k][tx];
            __syncthreads();
        }
        return sum;
    }
};

// pipelinify: launch product_and_back
//   sizes    n=16,32,48,80
//   target   n=2048
//   grid     n / 16, n / 16
//   block    16, 16
//   A:       in  [n * n]
//   B:       in  [n * n]
//   C:       out [n * n]
//   n:       n
__global__ void product_and_back(const float *A, const float *B, float *C, int n)
{
    using Product = StreamedProduct<float, 16>;
    __shared__ Product::Storage tiles;

    const int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
    Product product;
    const float sum = product.run(tiles, A, B, n, y0 + threadIdx.y, x0 + threadIdx.x);
    tiles.as[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    C[(x0 + threadIdx.y) * n + y0 + threadIdx.x] = tiles.as[threadIdx.x][threadIdx.y];
}
