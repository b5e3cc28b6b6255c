// Loops of methods whose tiles lie in the kernel's shared memory, which the object knows by a
// reference or a pointer: what every caller makes it from says where that is.
#include <cuda_runtime.h>

// A block's inner products, with storage of its own kind.
template <typename T, int BLOCK>
class BlockDot {
public:
    struct TempStorage {
        T x[BLOCK];
        T y[BLOCK];
    };

    __device__ __forceinline__ BlockDot(TempStorage &storage) : temp_storage(storage), linear_tid(threadIdx.x) { }

    __device__ __forceinline__ T Sum(const T *__restrict__ x, const T *__restrict__ y, int n)
    {
        T sum = T(0);
        // pipelinify: ldg-single, 1 stage, source 26269e76
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
        int base = 0;
        if (base < n) {
            {
                const int i = base + linear_tid;
                temp_storage.x[linear_tid] = i < n ? x[i] : T(0);
                temp_storage.y[linear_tid] = i < n ? y[i] : T(0);
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (base += BLOCK; base < n; base += BLOCK) {
                const int i = base + linear_tid;
                T x_next = i < n ? x[i] : T(0);
                T y_next = i < n ? y[i] : T(0);
                for (int j = 0; j < BLOCK; ++j)
                    sum += temp_storage.x[j] * temp_storage.y[(j + linear_tid) % BLOCK];
                __syncthreads();
                temp_storage.x[linear_tid] = x_next;
                temp_storage.y[linear_tid] = y_next;
                __syncthreads();
            }
            for (int j = 0; j < BLOCK; ++j)
                sum += temp_storage.x[j] * temp_storage.y[(j + linear_tid) % BLOCK];
            __syncthreads();
        }
        return sum;
    }

private:
    TempStorage &temp_storage;
    unsigned int linear_tid;
};

// pipelinify: launch dots
//   sizes    n=0,1,63,64,65,200,257,320
//   target   n=65536
//   grid     2
//   block    64
//   x:       in  [2 * n + 1]
//   y:       in  [2 * n + 1]
//   out:     out [128]
//   n:       n
__global__ void dots(const float *x, const float *y, float *out, int n)
{
    using Dot = BlockDot<float, 64>;
    __shared__ typename Dot::TempStorage storage;
    const float sum = Dot(storage).Sum(x + blockIdx.x * n, y + blockIdx.x * n, n);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The sums are the object's own, and another method adds to them.
#define T 16

struct Tiles {
    float a[T][T];
    float b[T][T];
};

class Gemm {
public:
    __device__ Gemm(Tiles *tiles, const float *a, const float *b, int lda, int ldb, int depth)
        : tiles_(tiles), a_(a), b_(b), lda_(lda), ldb_(ldb), depth_(depth), sum_(0.f)
    {
    }

    __device__ void run()
    {
        const int tx = threadIdx.x, ty = threadIdx.y;
        // pipelinify: ldg-single, 1 stage, source c8f33cb4
        int k0 = 0;
        if (k0 < depth_) {
            tiles_->a[ty][tx] = a_[ty * lda_ + k0 + tx];
            tiles_->b[ty][tx] = b_[(k0 + ty) * ldb_ + tx];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += T; k0 < depth_; k0 += T) {
                float tiles_next = a_[ty * lda_ + k0 + tx];
                float tiles_next2 = b_[(k0 + ty) * ldb_ + tx];
                multiply();
                __syncthreads();
                tiles_->a[ty][tx] = tiles_next;
                tiles_->b[ty][tx] = tiles_next2;
                __syncthreads();
            }
            multiply();
            __syncthreads();
        }
    }

    __device__ float sum() const { return sum_; }

private:
    __device__ void multiply()
    {
        for (int k = 0; k < T; ++k)
            sum_ += tiles_->a[threadIdx.y][k] * tiles_->b[k][threadIdx.x];
    }

    Tiles *tiles_;
    const float *a_, *b_;
    int lda_, ldb_, depth_;
    float sum_;
};

// pipelinify: launch gemm_and_back
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [2 * M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm_and_back(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                              int M, int N, int K)
{
    __shared__ Tiles tiles;
    Gemm product(&tiles, A + blockIdx.y * T * K, B + blockIdx.x * T, K, N, K);
    const int at = (blockIdx.y * T + threadIdx.y) * N + blockIdx.x * T + threadIdx.x;
    product.run();
    C[at] = product.sum();
    tiles.a[threadIdx.y][threadIdx.x] = product.sum();
    __syncthreads();
    C[M * N + at] = tiles.a[threadIdx.x][threadIdx.y];
}

// Rows that each block goes through twice, by one object after the other.
struct RowSums {
    float (&row)[64];
    const float *rows;
    int n;

    __device__ void add(float scale, float &sum) const
    {
        // pipelinify: ldg-single, 1 stage, source 4dc8fa3d
        int r = 0;
        if (r < n) {
            row[threadIdx.x] = rows[r * 64 + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++r; r < n; ++r) {
                float row_next = rows[r * 64 + threadIdx.x];
                for (int i = 0; i < 64; ++i)
                    sum += row[i] * (float)((i ^ threadIdx.x) & 3) * scale;
                __syncthreads();
                row[threadIdx.x] = row_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += row[i] * (float)((i ^ threadIdx.x) & 3) * scale;
            __syncthreads();
        }
    }
};

// pipelinify: launch two_sums
//   sizes    n=0,1,2,3,5 m=0,1,4
//   target   n=4096 m=4096
//   grid     1
//   block    64
//   x:       in  [n * 64 + 1]
//   y:       in  [m * 64 + 1]
//   out:     out [64]
//   n:       n
//   m:       m
__global__ void two_sums(const float *x, const float *y, float *out, int n, int m)
{
    __shared__ float row[64];
    const RowSums first{row, x, n}, second{row, y, m};
    float sum = 0.f;
    first.add(1.f, sum);
    second.add(0.5f, sum);
    out[threadIdx.x] = sum;
}
