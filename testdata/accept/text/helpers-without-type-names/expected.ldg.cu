// Helpers whose loads have a type without a name, a function template and a lambda, called by some
// threads only and in a loop: what they load is declared ahead of the branch.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kRows = 4;

template <int N, typename T>
__device__ __forceinline__ void load_row(T (&dst)[N], const T* src, unsigned at, int n)
{
    dst[threadIdx.x] = at + threadIdx.x < n ? src[at + threadIdx.x] : T(0);
}

template <int N, typename T>
__device__ __forceinline__ auto load_row_fetch(T (&dst)[N], const T* src, unsigned at, int n)
{
    T dst_next = at + threadIdx.x < n ? src[at + threadIdx.x] : T(0);
    return dst_next;
}

template <int N, typename T>
__device__ __forceinline__ void load_row_store(T (&dst)[N], T dst_next)
{
    dst[threadIdx.x] = dst_next;
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
    __shared__ T xs_stage[2][kTile];
    __shared__ T ws_stage[2][2 * kRows][kTile];
    T sum = 0;
    // pipelinify: ldg, 2 stages, source 2141430f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int k = 0, stage = 0;
    if (k < n) {
        {
            const unsigned at = k;
            const T* mine = x + blockIdx.x * n;
            if (threadIdx.y == 0)
                load_row(xs_stage[0], mine, at, n);
#pragma unroll
            for (int r = threadIdx.y; r < 2 * kRows; r += kRows)
                load_row<kTile>(ws_stage[0][r], w + r * n, at, n);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += kTile; k < n; k += kTile) {
            decltype(load_row_fetch(xs_stage[0], (const T *)0, (unsigned int)0, n)) xs_next;
            decltype(load_row_fetch<kTile>(ws_stage[0][0], w + 0 * n, (unsigned int)0, n)) ws_next[2 * kRows / kRows];
            const unsigned at = k;
            const T* mine = x + blockIdx.x * n;
            if (threadIdx.y == 0)
                xs_next = load_row_fetch(xs_stage[0], mine, at, n);
#pragma unroll
            for (int slot = 0; slot < 2 * kRows / kRows; ++slot) {
                int r = threadIdx.y + slot * kRows;
                if (r < 2 * kRows)
                    ws_next[slot] = load_row_fetch<kTile>(ws_stage[0][r], w + r * n, at, n);
            }
            for (int j = 0; j < kTile; j++)
                sum += xs_stage[stage][j] * ws_stage[stage][threadIdx.y][(j + threadIdx.x) % kTile] +
                       ws_stage[stage][threadIdx.y + kRows][j];
            stage ^= 1;
            if (threadIdx.y == 0)
                load_row_store(xs_stage[stage], xs_next);
#pragma unroll
            for (int slot = 0; slot < 2 * kRows / kRows; ++slot) {
                int r = threadIdx.y + slot * kRows;
                if (r < 2 * kRows)
                    load_row_store<kTile>(ws_stage[stage][r], ws_next[slot]);
            }
            __syncthreads();
        }
        for (int j = 0; j < kTile; j++)
            sum += xs_stage[stage][j] * ws_stage[stage][threadIdx.y][(j + threadIdx.x) % kTile] +
                   ws_stage[stage][threadIdx.y + kRows][j];
    }
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
