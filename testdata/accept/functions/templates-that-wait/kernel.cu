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
    __shared__ float tile[96];
    const float *row = x + blockIdx.x * n;
    float sum = 0.f;
    for (int i = 0; i < n; i += 96) {
        fill(tile, row + i, n - i);
        for (int j = 0; j < 96; ++j)
            sum = 0.75f * sum + tile[j] * tile[(j + threadIdx.x) % 96];
        __syncthreads();
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
    __shared__ V tile[BM * BK];
    V sum = 0;
    for (int i = 0; i < n; i += BK) {
        fill_rows<V, BM, BK>(tile, x + blockIdx.x * BM * n + i, n);
        for (int j = 0; j < BK; ++j)
            sum += tile[threadIdx.x % BM * BK + j] * V(j + 1);
        __syncthreads();
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
    __shared__ float tile[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        stage::load(tile, c, i, true);
        for (int j = 0; j < 64; ++j)
            sum = sum * (0.5f + threadIdx.x * 0.0078125f) + tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
