// Device functions whose tiles are their callers', who pass them and use them for nothing else: by
// references to records and arrays, by pointers. One function is called twice, and in a loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 16

struct TileStorage {
    float a[T][T + 1];
    float b[T][T];
};

__device__ __forceinline__ float tile_product(TileStorage &tiles, const float *__restrict__ a,
                                              const float *__restrict__ b, int rows, int columns, int k)
{
    __shared__ TileStorage tiles_stage[2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source cf4ff9ab
    int k0 = 0, stage = 0;
    if (k0 < k) {
        tiles_stage[0].a[ty][tx] = ty < rows && k0 + tx < k ? a[ty * k + k0 + tx] : 0.f;
        tiles_stage[0].b[ty][tx] = k0 + ty < k && tx < columns ? b[(k0 + ty) * columns + tx] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < k; k0 += T) {
            float a_next = ty < rows && k0 + tx < k ? a[ty * k + k0 + tx] : 0.f;
            float b_next = k0 + ty < k && tx < columns ? b[(k0 + ty) * columns + tx] : 0.f;
            for (int i = 0; i < T; ++i)
                sum += tiles_stage[stage].a[ty][i] * tiles_stage[stage].b[i][tx];
            stage ^= 1;
            tiles_stage[stage].a[ty][tx] = a_next;
            tiles_stage[stage].b[ty][tx] = b_next;
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += tiles_stage[stage].a[ty][i] * tiles_stage[stage].b[i][tx];
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch product
//   sizes    m=16,20 k=0,1,15,16,20,33,48,80
//   target   m=2048 k=2048
//   grid     1, (m + 15) / 16
//   block    16, 16
//   a:       in  [m * k + 1]
//   b:       in  [16 * k + 1]
//   c:       out [16 * m]
//   m:       m
//   k:       k
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int k)
{
    __shared__ TileStorage tiles;
    const int row = blockIdx.y * T;
    const float sum = tile_product(tiles, a + row * k, b, m - row, T, k);
    if (row + threadIdx.y < m)
        c[(row + threadIdx.y) * T + threadIdx.x] = sum;
}

// c = a b + d e, for a number of such problems.
// pipelinify: launch two_products
//   sizes    n=0,1,3 k=1,16,20,48
//   grid     1
//   block    16, 16
//   a:       in  [n * 16 * k + 1]
//   b:       in  [n * 16 * k + 1]
//   c:       out [n * 256 + 1]
//   n:       n
//   k:       k
__global__ void two_products(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ TileStorage first, second;
    for (int i = 0; i < n; ++i) {
        float sum = tile_product(first, a + i * T * k, b + i * T * k, T, T, k);
        sum += tile_product(second, a + i * T * k, b + (n - 1 - i) * T * k, T, T, k);
        c[i * T * T + threadIdx.y * T + threadIdx.x] = sum;
    }
}

// The tiles' sizes are those of the arrays that the pointers are given.
static __device__ float moment(float *line, float (*rows)[32], const float *__restrict__ x, const float *__restrict__ w, int n)
{
    constexpr int stages = 8;
    __shared__ float line_stage[stages][32];
    __shared__ __align__(16) float rows_stage[stages][4][32];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 1c52ba90
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&line_stage[load_stage][threadIdx.x], &x[at_load + threadIdx.x], sizeof(float));
            for (int r = 0; r < 4; ++r)
                __pipeline_memcpy_async(&rows_stage[load_stage][r][threadIdx.x], &w[r * n + at_load + threadIdx.x],
                                        sizeof(float));
            at_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            sum += line_stage[stage][i] * rows_stage[stage][threadIdx.x & 3][(i + threadIdx.x) & 31];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return sum;
}

// pipelinify: launch moments
//   sizes    n=0,32,64,160
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n + 1]
//   w:       in  [4 * n + 1]
//   out:     out [64]
//   n:       n
__global__ void moments(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float line[32];
    __shared__ __align__(16) float rows[4][32];
    out[blockIdx.x * 32 + threadIdx.x] = moment(line, rows, x + blockIdx.x * n, w, n);
}

// A main loop of a class, with the storage that the class says.
template <typename E, int ROWS, int COLUMNS>
struct RowSums {
    struct Storage {
        E tile[ROWS][COLUMNS];
    };

    static __device__ E run(Storage &storage, const E *__restrict__ x, int n)
    {
        __shared__ Storage storage_stage[2];
        E sum = 0;
        // pipelinify: ldg, 2 stages, source bc114bdb
        static_assert(__is_trivially_copyable(E) && !__is_same(E, volatile E), "E must be plain data and not volatile");
        int at = 0, stage = 0;
        if (at < n) {
            for (int i = threadIdx.x; i < ROWS * COLUMNS; i += 64)
                storage_stage[0].tile[i / COLUMNS][i % COLUMNS] = x[i / COLUMNS * n + at + i % COLUMNS];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (at += COLUMNS; at < n; at += COLUMNS) {
                E tile_next[(ROWS * COLUMNS + 64 - 1) / 64];
                #pragma unroll
                for (int slot = 0; slot < (ROWS * COLUMNS + 64 - 1) / 64; ++slot) {
                    int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                    if (slot < (ROWS * COLUMNS) / 64 || i < ROWS * COLUMNS)
                        tile_next[slot] = x[i / COLUMNS * n + at + i % COLUMNS];
                }
                for (int i = 0; i < COLUMNS; ++i)
                    sum += storage_stage[stage].tile[threadIdx.x % ROWS][(i + threadIdx.x) % COLUMNS] * (i + 1);
                stage ^= 1;
                #pragma unroll
                for (int slot = 0; slot < (ROWS * COLUMNS + 64 - 1) / 64; ++slot) {
                    int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                    if (slot < (ROWS * COLUMNS) / 64 || i < ROWS * COLUMNS)
                        storage_stage[stage].tile[i / COLUMNS][i % COLUMNS] = tile_next[slot];
                }
                __syncthreads();
            }
            for (int i = 0; i < COLUMNS; ++i)
                sum += storage_stage[stage].tile[threadIdx.x % ROWS][(i + threadIdx.x) % COLUMNS] * (i + 1);
            __syncthreads();
        }
        return sum;
    }
};

// pipelinify: launch row_sums<RowSums<float, 8, 32>, float>
//   sizes    n=0,32,64,160
//   grid     2
//   block    64
//   x:       in  [16 * n + 1]
//   out:     out [128]
//   n:       n
template <typename Sums, typename E>
__global__ void __launch_bounds__(64) row_sums(const E *__restrict__ x, E *__restrict__ out, int n)
{
    __shared__ typename Sums::Storage storage;
    out[blockIdx.x * 64 + threadIdx.x] = Sums::run(storage, x + blockIdx.x * 8 * n, n);
}
template __global__ void row_sums<RowSums<float, 8, 32>, float>(const float *__restrict__, float *__restrict__, int);
