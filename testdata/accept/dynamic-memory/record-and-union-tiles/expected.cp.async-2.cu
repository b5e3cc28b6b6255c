// Two tiles in a record, which are apart, and two in a union, which are not: the second store of the
// union's loop takes the place of the first one.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, int N>
struct Pair {
    T a[N];
    T b[N];
};

union Shared {
    float raw[64];
    float scaled[64];
};

// pipelinify: launch inner_products<float>
//   sizes  count=1,3 n=0,64,128,192,320
//   target count=512 n=8192
//   grid   count
//   block  64
//   a:     in  [count * n] random
//   b:     in  [n] random
//   out:   out [count * 64]
//   n:     n
template <typename T>
__global__ void inner_products(const T *a, const T *b, T *out, int n)
{
    __shared__ Pair<T, 64> tile_stage[2];
    T sum = 0;
    // pipelinify: cp.async, 2 stages, source 90d29915
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage].a[threadIdx.x], &a[blockIdx.x * n + k_load + threadIdx.x],
                                    sizeof(T));
            __pipeline_memcpy_async(&tile_stage[load_stage].b[threadIdx.x], &b[k_load + threadIdx.x], sizeof(T));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; i++)
            sum += tile_stage[stage].a[i] * tile_stage[stage].b[(i + threadIdx.x) % 64];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch weighted_sums
//   sizes  count=1,3 n=0,64,128,192,320
//   target count=512 n=8192
//   grid   count
//   block  64
//   x:     in  [count * n] random
//   w:     in  [n] random
//   out:   out [count * 64]
//   n:     n
__global__ void weighted_sums(const float *x, const float *w, float *out, int n)
{
    __shared__ Shared tile;
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile.raw[threadIdx.x] = x[blockIdx.x * n + k + threadIdx.x];
        if (threadIdx.x & 1)
            tile.scaled[threadIdx.x] = w[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += tile.scaled[(i + threadIdx.x) % 64];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void inner_products<float>(const float *, const float *, float *, int);
