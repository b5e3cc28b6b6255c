// Loaders that move on by themselves with each tile that they load.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 16

// Walks over a matrix in tiles, along its rows or its columns. What lies outside is zero.
template <typename T, int ROWS, int COLS>
class TileIterator {
public:
    __device__ TileIterator(const T *at, int ld, int rows, int cols, int step_rows, int step_cols)
        : at_(at + threadIdx.y * ld + threadIdx.x), ld_(ld), rows_(rows - (int)threadIdx.y),
          cols_(cols - (int)threadIdx.x), step_rows_(step_rows), step_cols_(step_cols)
    {
    }

    __device__ void load(T (&tile)[ROWS][COLS])
    {
        tile[threadIdx.y][threadIdx.x] = rows_ > 0 && cols_ > 0 ? *at_ : T(0);
        move_on();
    }

    __device__ auto load_fetch()
    {
        T tile_next = rows_ > 0 && cols_ > 0 ? *at_ : T(0);
        move_on();
        return tile_next;
    }

    __device__ void load_store(T (&tile)[ROWS][COLS], T tile_next)
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }

private:
    __device__ void move_on()
    {
        at_ += step_rows_ * ld_ + step_cols_;
        rows_ -= step_rows_;
        cols_ -= step_cols_;
    }

    const T *at_;
    int ld_, rows_, cols_, step_rows_, step_cols_;
};

// pipelinify: launch gemm
//   sizes    M=16,20 N=16,17 K=0,1,16,32,33,48,112
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                     int M, int N, int K)
{
    __shared__ float as_stage[2][TILE][TILE], bs_stage[2][TILE][TILE];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    TileIterator<float, TILE, TILE> a(A + row * K, K, M - row, K, 0, TILE);
    TileIterator<float, TILE, TILE> b(B + col, N, K, N - col, TILE, 0);
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source 284e2b94
    int k0 = 0, stage = 0;
    if (k0 < K) {
        a.load(as_stage[0]);
        b.load(bs_stage[0]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            auto as_next = a.load_fetch();
            auto bs_next = b.load_fetch();
            for (int k = 0; k < TILE; ++k)
                sum += as_stage[stage][threadIdx.y][k] * bs_stage[stage][k][threadIdx.x];
            stage ^= 1;
            a.load_store(as_stage[stage], as_next);
            b.load_store(bs_stage[stage], bs_next);
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += as_stage[stage][threadIdx.y][k] * bs_stage[stage][k][threadIdx.x];
    }
    if (row + threadIdx.y < M && col + threadIdx.x < N)
        C[(row + threadIdx.y) * N + col + threadIdx.x] = sum;
}

// The distance to the next tile changes with each step: one and two tiles by turns.
struct RowWalker {
    const float *next;
    int ld;
    bool wide;

    __device__ void load(float (&tile)[TILE][TILE])
    {
        tile[threadIdx.y][threadIdx.x] = next[threadIdx.y * ld + threadIdx.x];
        next += wide ? 2 * TILE : TILE;
        wide = !wide;
    }

    __device__ void load_async(float (&tile)[TILE][TILE])
    {
        __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &next[threadIdx.y * ld + threadIdx.x], sizeof(float));
        next += wide ? 2 * TILE : TILE;
        wide = !wide;
    }
    __device__ void skip() { next += TILE; }
};

// pipelinify: launch column_products
//   sizes    K=0,16,32,48,80,112 ld=160,176
//   target   K=2048 ld=8192
//   grid     1
//   block    16, 16
//   A:       in  [16 * ld + 112]
//   x:       in  [K]
//   y:       out [256]
//   ends:    out [256]
//   K:       K
//   ld:      ld
__global__ void column_products(const float *A, const float *x, float *__restrict__ y,
                                int *__restrict__ ends, int K, int ld)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][TILE][TILE];
    RowWalker walker = {A, ld, false};
    float acc = 0.0f;
    // pipelinify: cp.async, 8 stages, source 5ea641a0
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            walker.load_async(tile_stage[load_stage]);
            k0_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < TILE; ++k)
            acc += tile_stage[stage][threadIdx.y][k] * x[k0 + k];
        if (k0 >= 0)
            acc *= 0.5f;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    walker.skip();
    y[threadIdx.y * 16 + threadIdx.x] = acc;
    ends[threadIdx.y * 16 + threadIdx.x] = (int)(walker.next - A);
}

// The loader is stepped once more behind each tile, and a pointer where it is read.
// pipelinify: launch every_third
//   sizes    n=0,1,2,3,5,9
//   target   n=4096
//   grid     1
//   block    16, 16
//   A:       in  [16 * 16 * (3 * n + 2)]
//   scale:   in  [2 * n * 256 + 256]
//   y:       out [256]
//   n:       n
__global__ void every_third(const float *__restrict__ A, const float *__restrict__ scale,
                            float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][TILE][TILE], scales_stage[stages][TILE][TILE];
    const int at = threadIdx.y * TILE + threadIdx.x;
    RowWalker walker = {A, (3 * n + 2) * TILE, true};
    const float *next = scale + at;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source b392bbc2
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            walker.load_async(tile_stage[load_stage]);
            __pipeline_memcpy_async(&scales_stage[load_stage][threadIdx.y][threadIdx.x], next++, sizeof(float));
            walker.skip();
            next += 255;
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < TILE; ++k)
            sum += tile_stage[stage][threadIdx.y][k] * scales_stage[stage][k][threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[at] = sum + (float)(next - scale);
}
