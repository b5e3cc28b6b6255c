// A kernel declares the classes that it works with itself: one has a tile, the other a sum.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ V tile_stage[stages][64];
    sums of{};
    // pipelinify: cp.async, 3 stages, source 3fd3a1d9
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    static_assert(__is_trivially_copyable(V) &&
                  (sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16) && alignof(V) == sizeof(V),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &x[blockIdx.x * n + i_load + threadIdx.x], sizeof(V));
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
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            of.add(tile_stage[stage][(j + threadIdx.x) % 64]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float cells_stage[stages][64];
    struct window {
        float *cells;
        __device__ void fill(const float *from) { cells[threadIdx.x] = from[threadIdx.x]; }

        __device__ void fill_async(const float *from) {
            __pipeline_memcpy_async(&cells[threadIdx.x], &from[threadIdx.x], sizeof(float));
        }
        __device__ float at(int i) const { return cells[i & 63]; }
    };
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 27834392
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            auto &cells = cells_stage[load_stage];
            window tile{cells};
            tile.fill_async(x + i_load);
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
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &cells = cells_stage[stage];
        window tile{cells};
        for (int j = 0; j < 64; ++j)
            sum = 0.75f * sum + tile.at(j + threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
