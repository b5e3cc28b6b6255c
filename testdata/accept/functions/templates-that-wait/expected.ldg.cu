// Helpers that fill a tile and wait are templates: of the tile's size, of what the kernel's own
// arguments say, and a function of a class that waits where it is told to.
#include <cuda_runtime.h>

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
    __shared__ float tile_stage[2][96];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 79161571
    int i = 0, stage2 = 0;
    if (i < n) {
        for (int i_fill = threadIdx.x; i_fill < 96; i_fill += blockDim.x)
            tile_stage[0][i_fill] = i_fill < n - i ? (row + i)[i_fill] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 96; i < n; i += 96) {
            float tile_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i_fill = threadIdx.x + slot * blockDim.x;
                if (i_fill < 96)
                    tile_next[slot] = i_fill < n - i ? (row + i)[i_fill] : 0.f;
            }
            for (int j = 0; j < 96; ++j)
                sum = 0.75f * sum +
                      tile_stage[stage2][j] * tile_stage[stage2][(j + threadIdx.x) % 96];
            stage2 ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i_fill = threadIdx.x + slot * blockDim.x;
                if (i_fill < 96)
                    tile_stage[stage2][i_fill] = tile_next[slot];
            }
            // What has not been fetched ahead.
            for (int i_fill = threadIdx.x + 2 * blockDim.x; i_fill < 96; i_fill += blockDim.x)
                tile_stage[stage2][i_fill] = i_fill < n - i ? (row + i)[i_fill] : 0.f;
            __syncthreads();
        }
        for (int j = 0; j < 96; ++j)
            sum = 0.75f * sum + tile_stage[stage2][j] * tile_stage[stage2][(j + threadIdx.x) % 96];
    }
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
    __shared__ V tile_stage[2][BM * BK];
    V sum = 0;
    // pipelinify: ldg, 2 stages, source 14a844bf
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int i = 0, stage2 = 0;
    if (i < n) {
        for (int i_fill_rows = threadIdx.x; i_fill_rows < BM * BK; i_fill_rows += 64) {
            V value = (x + blockIdx.x * BM * n + i)[i_fill_rows / BK * n + i_fill_rows % BK];
            tile_stage[0][i_fill_rows] = value;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += BK; i < n; i += BK) {
            V value_next[(BM * BK + 64 - 1) / 64];
            #pragma unroll
            for (int slot = 0; slot < (BM * BK + 64 - 1) / 64; ++slot) {
                int i_fill_rows = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (BM * BK) / 64 || i_fill_rows < BM * BK) {
                    V value =
                        (x + blockIdx.x * BM * n + i)[i_fill_rows / BK * n + i_fill_rows % BK];
                    value_next[slot] = value;
                }
            }
            for (int j = 0; j < BK; ++j)
                sum += tile_stage[stage2][threadIdx.x % BM * BK + j] * V(j + 1);
            stage2 ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (BM * BK + 64 - 1) / 64; ++slot) {
                int i_fill_rows = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (BM * BK) / 64 || i_fill_rows < BM * BK) {
                    V value = value_next[slot];
                    tile_stage[stage2][i_fill_rows] = value;
                }
            }
            __syncthreads();
        }
        for (int j = 0; j < BK; ++j)
            sum += tile_stage[stage2][threadIdx.x % BM * BK + j] * V(j + 1);
    }
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
    __shared__ float tile_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source e2e05d6b
    int i = 0, stage2 = 0;
    if (i < n) {
        tile_stage[0][threadIdx.x] = c[i + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            float tile_next = c[i + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                sum = sum * (0.5f + threadIdx.x * 0.0078125f) + tile_stage[stage2][j];
            stage2 ^= 1;
            tile_stage[stage2][threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum = sum * (0.5f + threadIdx.x * 0.0078125f) + tile_stage[stage2][j];
    }
    y[threadIdx.x] = sum;
}
