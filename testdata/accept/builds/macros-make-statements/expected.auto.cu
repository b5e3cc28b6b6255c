// Kernels of a code base that began in C: macros make the statements that load, the
// headers of loops, tiles and barriers.
#include <cuda_pipeline.h>

#define TILE 16
#define INDEX(row, col, ld) ((row) * (ld) + (col))
#define INSIDE(row, rows, col, cols) ((row) < (rows) && (col) < (cols))

#define COPY(cell, value) \
    do {                  \
        (cell) = (value); \
    } while (0)

#define LOAD_OR_ZERO(tile, m, row, rows, col, cols, ld)                         \
    do {                                                                        \
        if (INSIDE(row, rows, col, cols)) /* the edge of the matrix */          \
            COPY(tile[threadIdx.y][threadIdx.x], m[INDEX(row, col, ld)]);       \
        else                                                                    \
            COPY(tile[threadIdx.y][threadIdx.x], 0.0f);                         \
    } while (0)

#define SHARED_TILE(type, name, rows, cols) \
    __shared__ type name[rows][(cols) + ((cols) % 32 == 0 ? 1 : 0)]

#define FOR_EACH_TILE(var, extent) for (int var = 0; var < (extent); var += TILE)
#define OVER(var, count) var = 0; var < (count); var += SPAN
#define TILE_READY __syncthreads(); tiles++
#define DONE_WITH_TILE __syncthreads(); }

// pipelinify: launch sgemm
//   sizes    M=16,20 N=16,17 K=0,1,16,20,33,48,64,80,96
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
extern "C" __global__ void sgemm(const float *__restrict__ A, const float *__restrict__ B,
                                 float *__restrict__ C, int M, int N, int K)
{
    __shared__ float a_stage[2][TILE][(TILE) + ((TILE) % 32 == 0 ? 1 : 0)];
    __shared__ float b_stage[2][TILE][(TILE) + ((TILE) % 32 == 0 ? 1 : 0)];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source b68aa75a
    int k0 = 0, stage = 0;
    if (k0 < (K)) {
        if (INSIDE(row, M, k0 + threadIdx.x, K)) /* the edge of the matrix */
            {
                (a_stage[0][threadIdx.y][threadIdx.x]) = (A[INDEX(row, k0 + threadIdx.x, K)]);
            }
        else
            {
                (a_stage[0][threadIdx.y][threadIdx.x]) = (0.0f);
            }
        if (INSIDE(k0 + threadIdx.y, K, col, N)) /* the edge of the matrix */
            {
                (b_stage[0][threadIdx.y][threadIdx.x]) = (B[INDEX(k0 + threadIdx.y, col, N)]);
            }
        else
            {
                (b_stage[0][threadIdx.y][threadIdx.x]) = (0.0f);
            }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < (K); k0 += TILE) {
            float a_next;
            float b_next;
            if (INSIDE(row, M, k0 + threadIdx.x, K)) {
                a_next = (A[INDEX(row, k0 + threadIdx.x, K)]);
            } else {
                a_next = (0.0f);
            }
            if (INSIDE(k0 + threadIdx.y, K, col, N)) {
                b_next = (B[INDEX(k0 + threadIdx.y, col, N)]);
            } else {
                b_next = (0.0f);
            }
            for (int k = 0; k < TILE; ++k)
                sum += a_stage[stage][threadIdx.y][k] * b_stage[stage][k][threadIdx.x];
            stage ^= 1;
            (a_stage[stage][threadIdx.y][threadIdx.x]) = a_next;
            (b_stage[stage][threadIdx.y][threadIdx.x]) = b_next;
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += a_stage[stage][threadIdx.y][k] * b_stage[stage][k][threadIdx.x];
    }
    if (INSIDE(row, M, col, N))
        C[INDEX(row, col, N)] = sum;
}

#define SPAN 64
#define STAGE_SIGNAL(k)                              \
    _Pragma("unroll")                                \
    for (int i = threadIdx.x; i < 2 * SPAN; i += SPAN) \
        window[i] = x[(k) + i]
#define IF_WANTED(k) if ((k) + (int)threadIdx.x < n)
#define OTHERWISE else
#define SCALED * scale

// Autocorrelation at one lag, the samples of a window and of the one behind it.
// pipelinify: launch lag_products
//   sizes    n=0,64,128,192,320 lag=0,3,63
//   target   n=65536 lag=5
//   grid     2
//   block    64
//   x:       in  [n + 64]
//   out:     out [128]
//   tiles_of: out [128]
//   n:       n
//   lag:     lag
//   scale:   0.5
__global__ void lag_products(const float *__restrict__ x, float *__restrict__ out,
                             int *__restrict__ tiles_of, int n, int lag, float scale)
{
    constexpr int stages = 8;
    __shared__ __align__(16) float window_stage[stages][2 * SPAN], alone_stage[2][SPAN];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    int tiles = 0;
    // pipelinify: cp.async, 8 stages, source 952aa13e
    {
        // Whether 4 neighbouring elements can be one copy: all is aligned.
        const bool joined = blockDim.x == SPAN && (2 * SPAN) % 4 == 0 && (size_t)x % 16 == 0 &&
                            SPAN % 4 == 0;
        int k_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < (n)) {
                if (joined) {
                    #pragma unroll
                    for (int i = 4 * threadIdx.x; i < 2 * SPAN; i += 4 * SPAN)
                        __pipeline_memcpy_async(&window_stage[load_stage][i], &x[(k_load) + i], 16);
                } else {
                    #pragma unroll
                    for (int i = threadIdx.x; i < 2 * SPAN; i += SPAN)
                        __pipeline_memcpy_async(&window_stage[load_stage][i], &x[(k_load) + i],
                                                sizeof(float));
                }
                k_load += SPAN;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int k = 0; k < (n); k += SPAN) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            tiles++;
            for (int i = 0; i < SPAN; ++i)
                sum += window_stage[stage][i] * window_stage[stage][i + lag] * (float)(i ^ lane);
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    // pipelinify: ldg, 2 stages, source 1e827e4e
    {
        int k = 0, stage = 0;
        if (k < n) {
            if ((k) + (int)threadIdx.x < n)
                alone_stage[0][lane] = x[k + lane] SCALED; else alone_stage[0][lane] = 0.0f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += SPAN; k < n; k += SPAN) {
                float alone_next;
                if ((k) + (int)threadIdx.x < n)
                    alone_next = x[k + lane] SCALED;
                else
                    alone_next = 0.0f;
                for (int i = 0; i < SPAN; ++i)
                    sum -= alone_stage[stage][i] * alone_stage[stage][i ^ lane];
                stage ^= 1;
                alone_stage[stage][lane] = alone_next;
                __syncthreads();
            }
            for (int i = 0; i < SPAN; ++i)
                sum -= alone_stage[stage][i] * alone_stage[stage][i ^ lane];
        }
    }
    out[blockIdx.x * SPAN + lane] = sum;
    tiles_of[blockIdx.x * SPAN + lane] = tiles;
}

// The function that loads is made with a macro, too.
#define TWO_STORES(to, from)                  \
    to[threadIdx.x] = from[threadIdx.x];      \
    to[threadIdx.x + SPAN] = from[threadIdx.x + SPAN]

__device__ __forceinline__ void load_pair(float *tile, const float *row)
{
    TWO_STORES(tile, row);
}

__device__ __forceinline__ void load_pair_async(float *tile, const float *row)
{
    __pipeline_memcpy_async(&tile[threadIdx.x], &row[threadIdx.x], sizeof(float));
    __pipeline_memcpy_async(&tile[threadIdx.x + SPAN], &row[threadIdx.x + SPAN], sizeof(float));
}

// pipelinify: launch row_norms
//   sizes    n=0,128,256,640
//   target   n=16384
//   grid     3
//   block    64
//   a:       in  [3 * n]
//   y:       out [192]
//   n:       n
__global__ void row_norms(const float *__restrict__ a, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float part_stage[stages][2 * SPAN];
    const float *row = a + (size_t)blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source baa4c426
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < (n / 2)) {
            load_pair_async(part_stage[load_stage], row + 2 * k_load);
            k_load += SPAN;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < (n / 2); k += SPAN) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 2 * SPAN; ++i)
            sum += part_stage[stage][i] * part_stage[stage][i ^ threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * SPAN + threadIdx.x] = sum;
}
