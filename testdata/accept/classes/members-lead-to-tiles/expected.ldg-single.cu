// Objects that know their tiles by members: a main loop with its storage, loaders with a tile each,
// iterators over shared memory. What a member leads to is said where the object is made.
#include <cuda_runtime.h>

// pipelinify: launch product_by_main_loop
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
struct Storage {
    float a[16][16];
    float b[16][16 + 1];
};

struct MainLoop {
    Storage &shared;
    const float *a, *b;
    int lda, ldb;

    __device__ MainLoop(Storage &storage, const float *a_, const float *b_, int lda_, int ldb_)
        : shared(storage), a(a_), b(b_), lda(lda_), ldb(ldb_)
    {
    }

    __device__ void load(int k0)
    {
        shared.a[threadIdx.y][threadIdx.x] = a[threadIdx.y * lda + k0 + threadIdx.x];
        shared.b[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * ldb + threadIdx.x];
    }

    __device__ auto load_fetch(int k0)
    {
        struct {
            float a_next;
            float b_next;
        } next2;
        next2.a_next = a[threadIdx.y * lda + k0 + threadIdx.x];
        next2.b_next = b[(k0 + threadIdx.y) * ldb + threadIdx.x];
        return next2;
    }

    template <typename Registers>
    __device__ void load_store(const Registers &next2)
    {
        shared.a[threadIdx.y][threadIdx.x] = next2.a_next;
        shared.b[threadIdx.y][threadIdx.x] = next2.b_next;
    }

    __device__ void compute(float &sum) const
    {
        for (int k = 0; k < 16; ++k)
            sum += shared.a[threadIdx.y][k] * shared.b[k][threadIdx.x];
    }
};

__global__ void product_by_main_loop(const float *__restrict__ A, const float *__restrict__ B,
                                     float *__restrict__ C, int N, int K)
{
    __shared__ Storage shared;
    MainLoop loop(shared, A + blockIdx.y * 16 * K, B + blockIdx.x * 16, K, N);
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 5e7cf413
    int k0 = 0;
    if (k0 < K) {
        loop.load(k0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < K; k0 += 16) {
            auto shared_next = loop.load_fetch(k0);
            loop.compute(sum);
            __syncthreads();
            loop.load_store(shared_next);
            __syncthreads();
        }
        loop.compute(sum);
    }
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}

// A loader of a class template that is bound to its tile, and steps on.
template <typename T, int ROWS, int COLS>
class TileLoader {
public:
    __device__ TileLoader(T (&tile)[ROWS][COLS], const T *from, int ld) : tile_(tile), at_(from), ld_(ld) { }
    __device__ __forceinline__ void load() { tile_[threadIdx.y][threadIdx.x] = at_[threadIdx.y * ld_ + threadIdx.x]; }

    __device__ __forceinline__ auto load_fetch() {
        T tile_next = at_[threadIdx.y * ld_ + threadIdx.x];
        return tile_next;
    }

    __device__ __forceinline__ void load_store(T tile_next) {
        tile_[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ __forceinline__ void next(int step) { at_ += step; }

private:
    T (&tile_)[ROWS][COLS];
    const T *at_;
    int ld_;
};

// pipelinify: launch product_by_loaders<16>
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
template <int TILE>
__global__ void product_by_loaders(const float *__restrict__ A, const float *__restrict__ B,
                                   float *__restrict__ C, int N, int K)
{
    __shared__ float as[16][16], bs[16][16];
    TileLoader<float, 16, 16> a(as, A + blockIdx.y * TILE * K, K);
    TileLoader<float, 16, 16> b(bs, B + blockIdx.x * TILE, N);
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 159591f6
    int k0 = 0;
    if (k0 < K) {
        a.load();
        b.load();
        a.next(TILE);
        b.next(TILE * N);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            auto as_next = a.load_fetch();
            auto bs_next = b.load_fetch();
            for (int k = 0; k < TILE; ++k)
                sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
            __syncthreads();
            a.load_store(as_next);
            b.load_store(bs_next);
            a.next(TILE);
            b.next(TILE * N);
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
    C[(blockIdx.y * TILE + threadIdx.y) * N + blockIdx.x * TILE + threadIdx.x] = sum;
}
template __global__ void product_by_loaders<16>(const float *, const float *, float *, int, int);

// Members in the order of a list; the tile lies behind another pointer.
struct RowStream {
    const float *source;
    float *tile;
    int width;

    __device__ void fill(int row) const
    {
        for (int i = threadIdx.x; i < 64; i += 32)
            this->tile[i] = i < width ? source[row * width + i] : 0.0f;
    }

    __device__ auto fill_fetch(int row) const
    {
        struct {
            float tile_next[2];
        } next2;
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 32 ? threadIdx.x : 31) + slot * 32;
            next2.tile_next[slot] = i < width ? source[row * width + i] : 0.0f;
        }
        return next2;
    }

    template <typename Registers>
    __device__ void fill_store(const Registers &next2) const
    {
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 32 ? threadIdx.x : 31) + slot * 32;
            this->tile[i] = next2.tile_next[slot];
        }
    }
};

// pipelinify: launch sum_of_rows
//   sizes    rows=0,1,2,3,7 width=1,31,64
//   target   rows=4096 width=64
//   block    32
//   x:       in  [rows * width + 1]
//   y:       out [32]
//   rows:    rows
//   width:   width
__global__ void sum_of_rows(const float *__restrict__ x, float *__restrict__ y, int rows, int width)
{
    __shared__ float row[64];
    const RowStream stream = {x, row, width};
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a3447967
    int r = 0;
    if (r < rows) {
        stream.fill(r);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            auto row_next = stream.fill_fetch(r);
            for (int i = 0; i < 64; ++i)
                sum += stream.tile[i] * (float)((i + threadIdx.x) % 5);
            __syncthreads();
            stream.fill_store(row_next);
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += stream.tile[i] * (float)((i + threadIdx.x) % 5);
    }
    y[threadIdx.x] = sum;
}

// Iterators over global and over shared memory; each thread stores behind its own place.
template <int CELLS, int THREADS>
struct SharedIterator {
    float *base;
    __device__ SharedIterator(float *tile, int thread) : base(tile + thread) { }
    __device__ void store(const float (&cells)[CELLS / THREADS]) const
    {
#pragma unroll
        for (int i = 0; i < CELLS / THREADS; ++i)
            base[i * THREADS] = cells[i];
    }
};

template <int CELLS, int THREADS>
struct GlobalIterator {
    const float *at;
    __device__ explicit GlobalIterator(const float *from) : at(from + threadIdx.x) { }
    __device__ void load(float (&cells)[CELLS / THREADS]) const
    {
#pragma unroll
        for (int i = 0; i < CELLS / THREADS; ++i)
            cells[i] = at[i * THREADS];
    }
    __device__ GlobalIterator &operator++()
    {
        at += CELLS;
        return *this;
    }
};

// pipelinify: launch moments
//   sizes    tiles=0,1,2,3,6
//   target   tiles=65536
//   grid     1
//   block    64
//   x:       in  [tiles * 128 + 1]
//   y:       out [64]
//   tiles:   tiles
__global__ void moments(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float span[128];
    GlobalIterator<128, 64> from(x);
    const SharedIterator<128, 64> to(span, threadIdx.x);
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source ad5ed036
    int t = 0;
    if (t < tiles) {
        {
            float cells[2];
            from.load(cells);
            to.store(cells);
            ++from;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float cells[2];
            from.load(cells);
            for (int i = 0; i < 128; ++i)
                sum += span[i] * (float)((i ^ threadIdx.x) & 7);
            __syncthreads();
            to.store(cells);
            ++from;
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += span[i] * (float)((i ^ threadIdx.x) & 7);
    }
    y[threadIdx.x] = sum;
}
