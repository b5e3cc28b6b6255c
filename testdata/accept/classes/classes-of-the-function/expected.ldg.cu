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
    __shared__ V tile_stage[2][64];
    sums of{};
    // pipelinify: ldg, 2 stages, source 3fd3a1d9
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int i = 0, stage = 0;
    if (i < n) {
        tile_stage[0][threadIdx.x] = x[blockIdx.x * n + i + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            V tile_next = x[blockIdx.x * n + i + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                of.add(tile_stage[stage][(j + threadIdx.x) % 64]);
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            of.add(tile_stage[stage][(j + threadIdx.x) % 64]);
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
    __shared__ float cells_stage[2][64];
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
    window tile{cells_stage[0]};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 27834392
    {
        int i = 0, stage = 0;
        if (i < n) {
            auto compute_tile = [&]() {
                auto &cells = cells_stage[stage];
                window tile{cells};
                for (int j = 0; j < 64; ++j)
                    sum = 0.75f * sum + tile.at(j + threadIdx.x);
            };
            {
                auto &cells = cells_stage[0];
                window tile{cells};
                tile.fill(x + i);
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (i += 64; i < n; i += 64) {
                auto cells_next = tile.fill_fetch(x + i);
                compute_tile();
                stage ^= 1;
                {
                    auto &cells = cells_stage[stage];
                    window tile{cells};
                    tile.fill_store(cells_next);
                }
                __syncthreads();
            }
            compute_tile();
        }
    }
    y[threadIdx.x] = sum;
}
