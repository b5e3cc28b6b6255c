// A kernel declares the classes that it works with itself: one has a tile, the other a sum.
#include <cuda_runtime.h>

// pipelinify: launch moments<float>
//   sizes    n=0,64,128,320
//   target   n=65536
//   grid     2
//   block    64
//   x:       in  [2 * n + 1]
//   y:       out [2 * 64]
//   n:       n
template <typename V>
__global__ void moments(const V *__restrict__ x, V *__restrict__ y, int n)
{
    struct sums {
        V first, second;
        __device__ void add(V v)
        {
            first += v;
            second = second * V(0.5) + v * v;
        }
        __device__ V spread() const { return second - first; }
    };
    __shared__ V tile[64];
    sums of{};
    // pipelinify: ldg-single, 1 stage, source 3fd3a1d9
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int i = 0;
    if (i < n) {
        tile[threadIdx.x] = x[blockIdx.x * n + i + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            V tile_next = x[blockIdx.x * n + i + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                of.add(tile[(j + threadIdx.x) % 64]);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            of.add(tile[(j + threadIdx.x) % 64]);
    }
    y[blockIdx.x * 64 + threadIdx.x] = of.spread();
}

template __global__ void moments<float>(const float *, float *, int);

// pipelinify: launch shifted
//   sizes    n=0,64,128,320
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void shifted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float cells[64];
    struct window {
        float *cells;
        __device__ void fill(const float *from) { cells[threadIdx.x] = from[threadIdx.x]; }

        __device__ auto fill_fetch(const float *from) {
            float cells_next = from[threadIdx.x];
            return cells_next;
        }

        __device__ void fill_store(float cells_next) {
            cells[threadIdx.x] = cells_next;
        }
        __device__ float at(int i) const { return cells[i & 63]; }
    };
    window tile{cells};
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 27834392
    {
        int i = 0;
        if (i < n) {
            tile.fill(x + i);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (i += 64; i < n; i += 64) {
                auto cells_next = tile.fill_fetch(x + i);
                for (int j = 0; j < 64; ++j)
                    sum = 0.75f * sum + tile.at(j + threadIdx.x);
                __syncthreads();
                tile.fill_store(cells_next);
                __syncthreads();
            }
            for (int j = 0; j < 64; ++j)
                sum = 0.75f * sum + tile.at(j + threadIdx.x);
        }
    }
    y[threadIdx.x] = sum;
}
