// Sums of a kernel function over pairs. The tile is an array that knows its size, the
// function an object that is handed on by reference.
// pipelinify: launch sum_pair_kernel
//   sizes    n=1,64,100 m=0,1,31,32,33,64,77
//   target   n=65536 m=65536
//   grid     (n + 63) / 64
//   block    64
//   x:       in [n] random
//   y:       in [m + 1] random
//   o:       out [n]
//   n:       n
//   m:       m
#include <cuda_runtime.h>
template <typename T, int N>
struct array_base {
    T v[N];
    __host__ __device__ T &operator[](int i) { return v[i]; }
    __host__ __device__ const T &operator[](int i) const { return v[i]; }
    __host__ __device__ static constexpr int size() { return N; }
};
template <typename T, int N> struct padded_array : array_base<T, N> {
    T pad;
};
template <typename K> __device__ float reduce_tile(const K &k, float x, const padded_array<float, 32> &t, int m)
{
    float s = 0.f;
    for (int j = 0; j < m; ++j) s += k(x, t[j]);
    return s;
}
struct Epanechnikov {
    float h;
    __device__ float operator()(float a, float b) const { float d = (a - b) / h; return d * d < 1.f ? 1.f - d * d : 0.f; }
};
__global__ void sum_pair_kernel(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int n, int m)
{
    __shared__ padded_array<float, 32> tile;
    const int i = blockIdx.x * 64 + threadIdx.x;
    const Epanechnikov k{0.7f};
    const float xi = i < n ? x[i] : 0.f;
    float s = 0.f;
    // pipelinify: ldg-single, 1 stage, source 5bb4d347
    int j0 = 0, j0_tile = j0;
    if (j0 < m) {
        auto compute_tile = [&]() {
            const int c = min(tile.size(), m - j0_tile);
            s += reduce_tile(k, xi, tile, c);
        };
        {
            const int c = min(tile.size(), m - j0);
            if (threadIdx.x < c) tile[threadIdx.x] = y[j0 + threadIdx.x];
        }
        j0 += tile.size();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; j0 < m; j0 += tile.size()) {
            float tile_next;
            const int c = min(tile.size(), m - j0);
            if (threadIdx.x < c)
                tile_next = y[j0 + threadIdx.x];
            compute_tile();
            j0_tile += tile.size();
            __syncthreads();
            if (threadIdx.x < c)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    if (i < n) o[i] = s;
}
