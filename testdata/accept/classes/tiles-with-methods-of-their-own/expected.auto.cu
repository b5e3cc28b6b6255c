// Tiles are objects that load themselves, by rows, by vectors, or in halves: each stage is one.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, int ROWS, int COLS, int PAD> struct SmemTile {
    static constexpr int pitch = COLS + PAD;
    T data[ROWS * pitch];

    __device__ __forceinline__ T &operator()(int r, int c) { return data[r * pitch + c]; }
    __device__ __forceinline__ const T &operator()(int r, int c) const { return data[r * pitch + c]; }
    template <int THREADS>
    __device__ __forceinline__ void load_from(const T *__restrict__ g, int ld, int rows, int cols)
    {
#pragma unroll
        for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) {
            const int r = i / COLS, c = i % COLS;
            (*this)(r, c) = r < rows && c < cols ? g[r * ld + c] : T(0);
        }
    }

    template <int THREADS>
    __device__ __forceinline__ auto load_from_fetch(const T *__restrict__ g, int ld, int rows, int cols)
    {
        struct {
            T this_next[(ROWS * COLS + THREADS - 1) / THREADS];
        } next;
        #pragma unroll
        for (int slot = 0; slot < (ROWS * COLS + THREADS - 1) / THREADS; ++slot) {
            int i = threadIdx.x + slot * THREADS;
            if (i < ROWS * COLS) {
                const int r = i / COLS, c = i % COLS;
                next.this_next[slot] = r < rows && c < cols ? g[r * ld + c] : T(0);
            }
        }
        return next;
    }

    template <int THREADS, typename Registers>
    __device__ __forceinline__ void load_from_store(const Registers &next)
    {
        #pragma unroll
        for (int slot = 0; slot < (ROWS * COLS + THREADS - 1) / THREADS; ++slot) {
            int i = threadIdx.x + slot * THREADS;
            if (i < ROWS * COLS) {
                const int r = i / COLS, c = i % COLS;
                (*this)(r, c) = next.this_next[slot];
            }
        }
    }
};

// pipelinify: launch syrk<float>
//   sizes    n=16,20,32 k=0,1,16,17,40
//   target   n=4096 k=4096
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    256
//   a:       in  [n * k + 1] random
//   c:       out [n * n]
//   n:       n
//   k:       k
template <typename T>
__global__ void __launch_bounds__(256) syrk(const T *__restrict__ a, T *__restrict__ c, int n, int k)
{
    __shared__ SmemTile<T, 16, 16, 1> lhs_stage[2], rhs_stage[2];
    const int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    T sum(0);
    // pipelinify: ldg, 2 stages, source 86ca1e8d
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int k0 = 0, stage = 0;
    if (k0 < k) {
        lhs_stage[0].template load_from<256>(a + r0 * k + k0, k, n - r0, k - k0);
        rhs_stage[0].template load_from<256>(a + c0 * k + k0, k, n - c0, k - k0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < k; k0 += 16) {
            auto lhs_next = lhs_stage[0].template load_from_fetch<256>(a + r0 * k + k0, k, n - r0, k - k0);
            auto rhs_next = rhs_stage[0].template load_from_fetch<256>(a + c0 * k + k0, k, n - c0, k - k0);
            for (int i = 0; i < 16; ++i)
                sum += lhs_stage[stage](ty, i) * rhs_stage[stage](tx, i);
            stage ^= 1;
            lhs_stage[stage].template load_from_store<256>(lhs_next);
            rhs_stage[stage].template load_from_store<256>(rhs_next);
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i)
            sum += lhs_stage[stage](ty, i) * rhs_stage[stage](tx, i);
    }
    if (r0 + ty < n && c0 + tx < n)
        c[(r0 + ty) * n + c0 + tx] = sum;
}

struct Pair {
    float left[64], right[64];

    __device__ void load(const float *g, int half)
    {
        if (half)
            right[threadIdx.x] = g[threadIdx.x];
        else
            left[threadIdx.x] = g[threadIdx.x];
    }

    __device__ void load_async(const float *g, int half)
    {
        if (half)
            __pipeline_memcpy_async(&right[threadIdx.x], &g[threadIdx.x], sizeof(float));
        else
            __pipeline_memcpy_async(&left[threadIdx.x], &g[threadIdx.x], sizeof(float));
    }
    __device__ float product(int i, int j) const { return left[i] * right[j]; }
};

// pipelinify: launch products
//   sizes    n=0,1,2,3,8
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64] random
//   y:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64)
products(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ Pair pair_stage[stages];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source a5a90603
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            pair_stage[load_stage].load_async(x + i_load * 64, 0);
            pair_stage[load_stage].load_async(y + i_load * 64, 1);
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += pair_stage[stage].product(threadIdx.x, j);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
