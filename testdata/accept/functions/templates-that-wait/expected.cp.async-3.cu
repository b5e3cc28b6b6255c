// Helpers that fill a tile and wait are templates: of the tile's size, of what the kernel's own
// arguments say, and a function of a class that waits where it is told to.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <int N>
__device__ void fill(float (&tile)[N], const float *from, int left)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        tile[i] = i < left ? from[i] : 0.f;
    __syncthreads();
}

// pipelinify: launch norms
//   sizes    n=0,1,95,96,97,300
//   target   n=65536
//   grid     2
//   block    48
//   x:       in  [2 * n + 1]
//   y:       out [2 * 48]
//   n:       n
__global__ void norms(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float tile_stage[stages][96];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 79161571
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)x % 16 == 0 && n % 4 == 0;
    int i_load = 0, stage2 = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            if (joined) {
                for (int i_fill = 4 * threadIdx.x; i_fill < 96; i_fill += 4 * blockDim.x)
                    __pipeline_memcpy_async(&tile_stage[load_stage][i_fill],
                                            &(row + i_load)[i_fill], 16,
                                            (i_fill < n - i_load) ? 0 : 16);
            } else {
                for (int i_fill = threadIdx.x; i_fill < 96; i_fill += blockDim.x)
                    __pipeline_memcpy_async(&tile_stage[load_stage][i_fill],
                                            &(row + i_load)[i_fill], sizeof(float),
                                            (i_fill < n - i_load) ? 0 : sizeof(float));
            }
            i_load += 96;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += 96) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        for (int j = 0; j < 96; ++j)
            sum = 0.75f * sum + tile_stage[stage2][j] * tile_stage[stage2][(j + threadIdx.x) % 96];
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 48 + threadIdx.x] = sum;
}

template <typename V, int Rows, int Columns>
__device__ __forceinline__ void fill_rows(V *tile, const V *from, int ld)
{
    for (int i = threadIdx.x; i < Rows * Columns; i += 64) {
        V value = from[i / Columns * ld + i % Columns];
        tile[i] = value;
    }
    __syncthreads();
}

// pipelinify: launch row_sums<float, 8, 32>
//   sizes    n=0,32,64,160
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * 8 * n + 1]
//   y:       out [2 * 64]
//   n:       n
template <typename V, int BM, int BK>
__global__ void row_sums(const V *__restrict__ x, V *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ V tile_stage[stages][BM * BK];
    V sum = 0;
    // pipelinify: cp.async, 3 stages, source 14a844bf
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    static_assert(__is_trivially_copyable(V) &&
                  (sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16) && alignof(V) == sizeof(V),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int i_load = 0, stage2 = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            for (int i_fill_rows = threadIdx.x; i_fill_rows < BM * BK; i_fill_rows += 64) {
                __pipeline_memcpy_async(&tile_stage[load_stage][i_fill_rows],
                    &(x + blockIdx.x * BM * n + i_load)[i_fill_rows / BK * n + i_fill_rows % BK],
                    sizeof(V));
            }
            i_load += BK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += BK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        for (int j = 0; j < BK; ++j)
            sum += tile_stage[stage2][threadIdx.x % BM * BK + j] * V(j + 1);
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void row_sums<float, 8, 32>(const float *, float *, int);
template __global__ void row_sums<double, 8, 16>(const double *, double *, int);

struct stage {
    static __device__ void load(float *tile, const float *from, int at, bool wait)
    {
        tile[threadIdx.x] = from[at + threadIdx.x];
        if (wait)
            __syncthreads();
    }
};

// pipelinify: launch polynomial
//   sizes    n=0,64,128,320
//   target   n=65536
//   grid     1
//   block    64
//   c:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void polynomial(const float *__restrict__ c, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][64];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source e2e05d6b
    int i_load = 0, stage2 = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &c[i_load + threadIdx.x],
                                    sizeof(float));
            i_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        for (int j = 0; j < 64; ++j)
            sum = sum * (0.5f + threadIdx.x * 0.0078125f) + tile_stage[stage2][j];
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
