// Main loops as methods: of an object that knows its operands, of a class template with sums of its
// own, of one that is handed the kernel's shared memory.
#include <cuda_runtime.h>

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

        // pipelinify: ldg, 2 stages, source c5997fb2
        int k0 = 0, stage = 0;
        if (k0 < depth) {
            as_stage[0][ty][tx] = k0 + tx < depth ? a[row * lda + k0 + tx] : 0.0f;
            bs_stage[0][ty][tx] = k0 + ty < depth ? b[(k0 + ty) * ldb + col] : 0.0f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += kTile; k0 < depth; k0 += kTile) {
                float as_next = k0 + tx < depth ? a[row * lda + k0 + tx] : 0.0f;
                float bs_next = k0 + ty < depth ? b[(k0 + ty) * ldb + col] : 0.0f;
                for (int k = 0; k < kTile; ++k)
                    sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
                stage ^= 1;
                as_stage[stage][ty][tx] = as_next;
                bs_stage[stage][ty][tx] = bs_next;
                __syncthreads();
            }
            for (int k = 0; k < kTile; ++k)
                sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
            __syncthreads();
        }
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

        // pipelinify: ldg, 2 stages, source f1ad1671
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                      "T must be plain data and not volatile");
        int k0 = 0, stage = 0;
        if (k0 < depth_) {
#pragma unroll
            for (int r = 0; r < ROWS; ++r)
                as_stage[0][r * kTile + ty][tx] = a_[(row + r * kTile) * lda_ + k0 + tx];
            bs_stage[0][ty][tx] = b_[(k0 + ty) * ldb_ + col];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += kTile; k0 < depth_; k0 += kTile) {
                T as_next[ROWS];
#pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    as_next[r] = a_[(row + r * kTile) * lda_ + k0 + tx];
                T bs_next = b_[(k0 + ty) * ldb_ + col];
#pragma unroll
                for (int k = 0; k < kTile; ++k)
                    for (int r = 0; r < ROWS; ++r)
                        sums_[r] += as_stage[stage][r * kTile + ty][k] * bs_stage[stage][k][tx];
                stage ^= 1;
#pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    as_stage[stage][r * kTile + ty][tx] = as_next[r];
                bs_stage[stage][ty][tx] = bs_next;
                __syncthreads();
            }
#pragma unroll
            for (int k = 0; k < kTile; ++k)
                for (int r = 0; r < ROWS; ++r)
                    sums_[r] += as_stage[stage][r * kTile + ty][k] * bs_stage[stage][k][tx];
            __syncthreads();
        }
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
        // pipelinify: ldg-single, 1 stage, source 917fd7a8
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                      "T must be plain data and not volatile");
        int k0 = 0;
        if (k0 < n) {
            tiles.as[ty][tx] = a[row * n + k0 + tx];
            tiles.bs[ty][tx] = b[(k0 + ty) * n + col];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += TILE; k0 < n; k0 += TILE) {
                T as_next = a[row * n + k0 + tx];
                T bs_next = b[(k0 + ty) * n + col];
#pragma unroll
                for (int k = 0; k < TILE; ++k)
                    sum += tiles.as[ty][k] * tiles.bs[k][tx];
                __syncthreads();
                tiles.as[ty][tx] = as_next;
                tiles.bs[ty][tx] = bs_next;
                __syncthreads();
            }
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
