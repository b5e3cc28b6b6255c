// Loaders that are members of another object: such that stay what they are, such that step beside or
// with each load. One whose place is a record that it moves by an operator of that record's.
#include <cuda_runtime.h>

#define T 16

struct GuardedLoader {
    const float *src;
    int ld, rows, cols;

    __device__ GuardedLoader(const float *src_, int ld_, int rows_, int cols_)
        : src(src_), ld(ld_), rows(rows_), cols(cols_)
    {
    }
    __device__ void load(float (&tile)[T][T], int r0, int c0) const
    {
        const int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = r < rows && c < cols ? src[r * ld + c] : 0.f;
    }

    __device__ auto load_fetch(int r0, int c0) const
    {
        const int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
        float tile_next = r < rows && c < cols ? src[r * ld + c] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
};

struct Mainloop {
    GuardedLoader loader_a, loader_b;
    float alpha;

    __device__ Mainloop(const float *A, const float *B, int M, int N, int K, float scale)
        : loader_a(A, K, M, K), loader_b(B, N, K, N), alpha(scale)
    {
    }
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
//   alpha:   0.5
__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha)
{
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    const Mainloop mainloop(A, B, M, N, K, alpha);
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source 0a49a7cf
    int k0 = 0, stage = 0;
    if (k0 < K) {
        mainloop.loader_a.load(As_stage[0], blockIdx.y * T, k0);
        mainloop.loader_b.load(Bs_stage[0], k0, blockIdx.x * T);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T) {
            auto As_next = mainloop.loader_a.load_fetch(blockIdx.y * T, k0);
            auto Bs_next = mainloop.loader_b.load_fetch(k0, blockIdx.x * T);
            for (int e = 0; e < T; ++e)
                acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
            stage ^= 1;
            mainloop.loader_a.load_store(As_stage[stage], As_next);
            mainloop.loader_b.load_store(Bs_stage[stage], Bs_next);
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
    }
    if (r < M && c < N)
        C[r * N + c] = mainloop.alpha * acc;
}

// Each moves by itself, the one between the loads, the other with its load; where the first one got
// to is asked behind the loop.
struct RowCursor {
    const float *row;
    int left;

    __device__ void load(float *tile) const
    {
        tile[threadIdx.x] = (int)threadIdx.x < left ? row[threadIdx.x] : 0.f;
    }

    __device__ auto load_fetch() const
    {
        float tile_next = (int)threadIdx.x < left ? row[threadIdx.x] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float *tile, float tile_next) const
    {
        tile[threadIdx.x] = tile_next;
    }
    __device__ RowCursor &operator++()
    {
        row += 64;
        left -= 64;
        return *this;
    }
    __device__ void load_and_step(float *tile)
    {
        tile[threadIdx.x] = (int)threadIdx.x < left ? row[threadIdx.x] : 0.f;
        row += 64;
        left -= 64;
    }

    __device__ auto load_and_step_fetch()
    {
        float tile_next = (int)threadIdx.x < left ? row[threadIdx.x] : 0.f;
        row += 64;
        left -= 64;
        return tile_next;
    }

    __device__ void load_and_step_store(float *tile, float tile_next)
    {
        tile[threadIdx.x] = tile_next;
    }
};

struct RowPair {
    RowCursor first, second;
};

// pipelinify: launch row_dots
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=65536
//   grid     2
//   block    64
//   x:       in  [2 * n + 1]
//   y:       in  [2 * n + 1]
//   out:     out [128]
//   left:    out [2]
//   n:       n
__global__ void row_dots(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out,
                         int *__restrict__ left, int n)
{
    __shared__ float xs_stage[2][64], ys_stage[2][64];
    RowPair rows = {{x + blockIdx.x * n, n}, {y + blockIdx.x * n, n}};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 9dff015b
    int i = 0, stage = 0;
    if (i < n) {
        rows.first.load(xs_stage[0]);
        ++rows.first;
        rows.second.load_and_step(ys_stage[0]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            auto xs_next = rows.first.load_fetch();
            ++rows.first;
            auto ys_next = rows.second.load_and_step_fetch();
            for (int j = 0; j < 64; ++j)
                sum += xs_stage[stage][j] * ys_stage[stage][(j + threadIdx.x) % 64];
            stage ^= 1;
            rows.first.load_store(xs_stage[stage], xs_next);
            rows.second.load_and_step_store(ys_stage[stage], ys_next);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += xs_stage[stage][j] * ys_stage[stage][(j + threadIdx.x) % 64];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        left[blockIdx.x] = rows.first.left;
}

// A view, and where the loader is in it.
struct Coord {
    int row, col;

    __device__ Coord &operator+=(const Coord &by)
    {
        row += by.row;
        col += by.col;
        return *this;
    }
};

struct MatrixView {
    const float *data;
    int ld;
    Coord extent;

    __device__ bool holds(Coord c) const { return c.row < extent.row && c.col < extent.col; }
    __device__ const float &at(Coord c) const { return data[c.row * ld + c.col]; }
};

class TileIterator {
public:
    __device__ TileIterator(MatrixView view, Coord offset, Coord step) : view_(view), offset_(offset), step_(step) { }
    __device__ void load(float (&tile)[T][T]) const
    {
        const Coord c = {offset_.row + (int)threadIdx.y, offset_.col + (int)threadIdx.x};
        tile[threadIdx.y][threadIdx.x] = view_.holds(c) ? view_.at(c) : 0.f;
    }

    __device__ auto load_fetch() const
    {
        const Coord c = {offset_.row + (int)threadIdx.y, offset_.col + (int)threadIdx.x};
        float tile_next = view_.holds(c) ? view_.at(c) : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ void next() { offset_ += step_; }

private:
    MatrixView view_;
    Coord offset_, step_;
};

// pipelinify: launch gemm_by_views
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
__global__ void gemm_by_views(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                              int M, int N, int K)
{
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    TileIterator a({A, K, {M, K}}, {(int)blockIdx.y * T, 0}, {0, T});
    TileIterator b({B, N, {K, N}}, {0, (int)blockIdx.x * T}, {T, 0});
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source afc972d1
    int k0 = 0, stage = 0;
    if (k0 < K) {
        a.load(As_stage[0]);
        b.load(Bs_stage[0]);
        a.next();
        b.next();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T) {
            auto As_next = a.load_fetch();
            auto Bs_next = b.load_fetch();
            for (int e = 0; e < T; ++e)
                acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
            stage ^= 1;
            a.load_store(As_stage[stage], As_next);
            b.load_store(Bs_stage[stage], Bs_next);
            a.next();
            b.next();
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}
