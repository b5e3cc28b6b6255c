// A product whose tiles are loaded by objects that step themselves.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define T 16

struct TileLoader {
    const float *base;
    int row, col, rows, cols, ld, step_row, step_col;

    __device__ void load(float (&tile)[T][T]) const
    {
        const int r = row + threadIdx.y, c = col + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = r < rows && c < cols ? base[r * ld + c] : 0.f;
    }

    __device__ auto load_fetch() const
    {
        const int r = row + threadIdx.y, c = col + threadIdx.x;
        float tile_next = r < rows && c < cols ? base[r * ld + c] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next) const
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
    __device__ void next() { row += step_row; col += step_col; }
    __device__ TileLoader &operator++()
    {
        next();
        return *this;
    }
};

// pipelinify: launch gemm
//   sizes    M=16,20 N=17 K=0,1,16,32,33,48,80
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    TileLoader la = {A, (int)blockIdx.y * T, 0, M, K, K, 0, T};
    TileLoader lb = {B, 0, (int)blockIdx.x * T, K, N, N, T, 0};
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source 4147e0c5
    int k0 = 0, stage = 0;
    if (k0 < K) {
        la.load(As_stage[0]);
        lb.load(Bs_stage[0]);
        la.next();
        ++lb;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < K; k0 += T) {
            auto As_next = la.load_fetch();
            auto Bs_next = lb.load_fetch();
            for (int e = 0; e < T; ++e)
                acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
            stage ^= 1;
            la.load_store(As_stage[stage], As_next);
            lb.load_store(Bs_stage[stage], Bs_next);
            la.next();
            ++lb;
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}

// A walk over the rows of a matrix, by twos, that ends beside the last row.
struct RowWalk {
    const float *rows;
    int at, width;

    __device__ void load(float *row) const
    {
        for (int i = threadIdx.x; i < width; i += 64)
            row[i] = rows[(size_t)at * width + i];
    }

    __device__ void load_async(float *row) const
    {
        for (int i = threadIdx.x; i < width; i += 64)
            __pipeline_memcpy_async(&row[i], &rows[(size_t)at * width + i], sizeof(float));
    }

    __device__ auto load_fetch() const
    {
        struct {
            float row_next[8];
        } next2;
        #pragma unroll
        for (int slot = 0; slot < 8; ++slot) {
            int i = threadIdx.x + slot * 64;
            if (i < width)
                next2.row_next[slot] = rows[(size_t)at * width + i];
        }
        return next2;
    }

    template <typename Registers>
    __device__ void load_store(float *row, const Registers &next2) const
    {
        #pragma unroll
        for (int slot = 0; slot < 8; ++slot) {
            int i = threadIdx.x + slot * 64;
            if (i < width)
                row[i] = next2.row_next[slot];
        }
        // What has not been fetched ahead.
        for (int i = threadIdx.x + 8 * 64; i < width; i += 64)
            row[i] = rows[(size_t)at * width + i];
    }

    __device__ void skip(int n) { at += n; }
};

// pipelinify: launch even_rows
//   sizes    n=0,1,2,3,4,7 width=64,100,130
//   target   n=8192 width=512
//   grid     1
//   block    64
//   smem     (width + 3) / 4 * 16
//   x:       in  [n * width]
//   out:     out [65]
//   n:       n
//   width:   width
__global__ void even_rows(const float *__restrict__ x, float *__restrict__ out, int n, int width)
{
    extern __shared__ float row[];
    RowWalk walk = {x, 0, width};
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source 9f14b7f2
    int r = 0;
    if (r < n) {
        walk.load(row);
        walk.skip(2);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += 2; r < n; r += 2) {
            auto row_next = walk.load_fetch();
            for (int i = 0; i < width; ++i)
                sum += row[i] * (float)((i ^ threadIdx.x) & 3);
            __syncthreads();
            walk.load_store(row, row_next);
            walk.skip(2);
            __syncthreads();
        }
        for (int i = 0; i < width; ++i)
            sum += row[i] * (float)((i ^ threadIdx.x) & 3);
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        out[64] = (float)walk.at;
}

// The row before comes first: the walk steps, then it loads.
// pipelinify: launch odd_rows
//   sizes    n=0,2,4,6,10
//   target   n=8192
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   out:     out [65]
//   n:       n
__global__ void odd_rows(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ float row_stage[stages][64];
    RowWalk walk = {x, -1, 64};
    float sum = 0.f;

    // pipelinify: cp.async, 8 stages, source f01a8e5e
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < n) {
            walk.skip(2);
            walk.load_async(row_stage[load_stage]);
            r_load += 2;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < n; r += 2) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 64; ++i)
            sum += row_stage[stage][i] * (float)((i ^ threadIdx.x) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        out[64] = (float)walk.at;
}
