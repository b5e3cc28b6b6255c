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

    __device__ void load_async(float (&tile)[T][T]) const
    {
        const int r = row + threadIdx.y, c = col + threadIdx.x;
        if (r < rows && c < cols) {
            __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &base[r * ld + c],
                                    sizeof(float));
        } else {
            tile[threadIdx.y][threadIdx.x] = 0.f;
        }
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
    // pipelinify: cp.async, 2 stages, source 4147e0c5
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            la.load_async(As_stage[load_stage]);
            lb.load_async(Bs_stage[load_stage]);
            la.next();
            ++lb;
            k0_load += T;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += T) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int e = 0; e < T; ++e)
            acc += As_stage[stage][threadIdx.y][e] * Bs_stage[stage][e][threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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

    for (int r = 0; r < n; r += 2) {
        walk.load(row);
        walk.skip(2);
        __syncthreads();
        for (int i = 0; i < width; ++i)
            sum += row[i] * (float)((i ^ threadIdx.x) & 3);
        __syncthreads();
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
    __shared__ float row_stage[2][64];
    RowWalk walk = {x, -1, 64};
    float sum = 0.f;

    // pipelinify: cp.async, 2 stages, source f01a8e5e
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
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r = 0; r < n; r += 2) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; ++i)
            sum += row_stage[stage][i] * (float)((i ^ threadIdx.x) & 3);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        out[64] = (float)walk.at;
}
