// The loop asks a loader whether there is another tile, and compute where it stands: each side has
// one of its own, as what is copied is as good as what was made.
#include <cuda_runtime.h>

constexpr int T = 16;

class RowTiles {
public:
    __device__ RowTiles(const float *first, int ld, int rows, int depth)
        : first_(first), ld_(ld), rows_(rows), depth_(depth), k_(0)
    {
    }
    __device__ bool more() const { return k_ < depth_; }
    __device__ void load(float (&tile)[T][T]) const
    {
        const int k = k_ + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = (int)threadIdx.y < rows_ && k < depth_ ? first_[threadIdx.y * ld_ + k] : 0.f;
    }

    __device__ auto load_fetch() const
    {
        const int k = k_ + threadIdx.x;
        float tile_next = (int)threadIdx.y < rows_ && k < depth_ ? first_[threadIdx.y * ld_ + k] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ void advance() { k_ += T; }

private:
    const float *const first_;
    const int ld_, rows_, depth_;
    int k_;
};

struct ColumnTiles {
    const float *first;
    int ld, columns, depth, k;

    __device__ void load(float (&tile)[T][T]) const
    {
        const int at = k + threadIdx.y;
        tile[threadIdx.y][threadIdx.x] = (int)threadIdx.x < columns && at < depth ? first[at * ld + threadIdx.x] : 0.f;
    }

    __device__ auto load_fetch() const
    {
        const int at = k + threadIdx.y;
        float tile_next = (int)threadIdx.x < columns && at < depth ? first[at * ld + threadIdx.x] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ void advance() { k += T; }
};

// pipelinify: launch gemm
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
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float as[T][T], bs[T][T];
    const int r0 = blockIdx.y * T, c0 = blockIdx.x * T;
    RowTiles a(A + r0 * K, K, M - r0, K);
    ColumnTiles b = {B + c0, N, N - c0, K, 0};
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 2333f482
    if (a.more()) {
        a.load(as);
        b.load(bs);
        a.advance(), b.advance();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; a.more(); a.advance(), b.advance()) {
            auto as_next = a.load_fetch();
            auto bs_next = b.load_fetch();
            for (int k = 0; k < T; ++k)
                sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
            __syncthreads();
            a.load_store(as, as_next);
            b.load_store(bs, bs_next);
            __syncthreads();
        }
        for (int k = 0; k < T; ++k)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
    if (r0 + threadIdx.y < M && c0 + threadIdx.x < N)
        C[(r0 + threadIdx.y) * N + c0 + threadIdx.x] = sum;
}

// Compute asks where it stands, and so does what comes behind the loop.
class RowWalk {
public:
    __device__ RowWalk(const float *rows, int n) : rows_(rows), at_(0), n_(n) { }
    __device__ bool more() const { return at_ != n_; }
    __device__ int at() const { return at_; }
    __device__ void load(float *row) const { row[threadIdx.x] = rows_[at_ * 64 + threadIdx.x]; }

    __device__ auto load_fetch() const {
        float row_next = rows_[at_ * 64 + threadIdx.x];
        return row_next;
    }

    __device__ void load_store(float *row, float row_next) const {
        row[threadIdx.x] = row_next;
    }
    __device__ RowWalk &operator++()
    {
        ++at_;
        return *this;
    }

private:
    const float *rows_;
    int at_, n_;
};

// pipelinify: launch weighted_sums
//   sizes    n=0,1,2,3,5,8
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64 + 1]
//   out:     out [64]
//   ends:    out [64]
//   n:       n
__global__ void weighted_sums(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ ends, int n)
{
    __shared__ float row[64];
    RowWalk walk(x, n);
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source d45b6dc6
    auto walk_tile = walk;
    if (walk.more()) {
        walk.load(row);
        ++walk;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (walk.more()) {
            auto row_next = walk.load_fetch();
            for (int i = 0; i < 64; ++i)
                sum += row[i] * (float)(((i ^ threadIdx.x) & 3) + walk_tile.at());
            ++walk_tile;
            __syncthreads();
            walk.load_store(row, row_next);
            ++walk;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += row[i] * (float)(((i ^ threadIdx.x) & 3) + walk_tile.at());
    }
    out[threadIdx.x] = sum;
    ends[threadIdx.x] = walk.at();
}
