// Helpers whose loads have a type without a name, a function template and a lambda, called by some
// threads only and in a loop: what they load is declared ahead of the branch.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int kTile = 32;
constexpr int kRows = 4;

template <int N, typename T>
__device__ __forceinline__ void load_row(T (&dst)[N], const T* src, unsigned at, int n)
{
    dst[threadIdx.x] = at + threadIdx.x < n ? src[at + threadIdx.x] : T(0);
}

template <int N, typename T>
__device__ __forceinline__ void load_row_async(T (&dst)[N], const T* src, unsigned at, int n)
{
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    if (at + threadIdx.x < n) {
        __pipeline_memcpy_async(&dst[threadIdx.x], &src[at + threadIdx.x], sizeof(T));
    } else {
        dst[threadIdx.x] = T(0);
    }
}

// pipelinify: launch row_products<float>
//   sizes  n=0,1,31,32,33,64,70,100,130
//   target n=65536
//   grid   2
//   block  32, 4
//   x:     in  [2 * n] random
//   w:     in  [8 * n] random
//   out:   out [8 * 32] random
//   n:     n
template <typename T>
__global__ void __launch_bounds__(kTile * kRows) row_products(const T* __restrict__ x, const T* __restrict__ w,
                                                              T* __restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ T xs_stage[stages][kTile];
    __shared__ T ws_stage[stages][2 * kRows][kTile];
    T sum = 0;
    // pipelinify: cp.async, 3 stages, source 2141430f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            const unsigned at = k_load;
            const T* mine = x + blockIdx.x * n;
            if (threadIdx.y == 0)
                load_row_async(xs_stage[load_stage], mine, at, n);
#pragma unroll
            for (int r = threadIdx.y; r < 2 * kRows; r += kRows)
                load_row_async<kTile>(ws_stage[load_stage][r], w + r * n, at, n);
            k_load += kTile;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += kTile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < kTile; j++)
            sum += xs_stage[stage][j] * ws_stage[stage][threadIdx.y][(j + threadIdx.x) % kTile] +
                   ws_stage[stage][threadIdx.y + kRows][j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[(blockIdx.x * kRows + threadIdx.y) * kTile + threadIdx.x] = sum;
}

template __global__ void row_products<float>(const float*, const float*, float*, int);

// pipelinify: launch row_sums
//   sizes  n=0,1,31,32,33,64,70,100,130
//   target n=65536
//   grid   2
//   block  32, 4
//   x:     in  [2 * n] random
//   out:   out [8 * 32] random
//   n:     n
__global__ void __launch_bounds__(kTile * kRows) row_sums(const float* __restrict__ x, float* __restrict__ out, int n)
{
    __shared__ float xs[kTile];
    const float* mine = x + blockIdx.x * n;
    auto load = [&](int at) {
        if (at < n)
            xs[threadIdx.x] = mine[at];
        else
            xs[threadIdx.x] = 0.0f;
    };
    float sum = 0;
    for (int k = 0; k < n; k += kTile) {
        if (threadIdx.y == 0)
            load(k + threadIdx.x);
        __syncthreads();
        for (int j = threadIdx.y; j < kTile; j += kRows)
            sum += xs[j] * (1 + threadIdx.x);
        __syncthreads();
    }
    out[(blockIdx.x * kRows + threadIdx.y) * kTile + threadIdx.x] = sum;
}
