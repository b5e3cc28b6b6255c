// Distances of rows by an object that knows its two tiles: one pointer is made of the block that it
// is handed, the other of the first one.
#include <cuda_runtime.h>

template <typename V, int RowsPerThread, int KBlock, int Rows, int Threads>
struct policy {
    static constexpr int rows = Rows, k_block = KBlock, stride = KBlock + 1, per_thread = RowsPerThread,
                         threads = Threads, loads = Rows * KBlock / Threads;
};

template <typename V, typename P>
struct contraction {
    int k, ld;
    const V *x, *y;
    int row, column;
    V *sx, *sy;

    __device__ contraction(const V *x_, const V *y_, int k_, int ld_, char *storage)
        : k(k_), ld(ld_), x(x_ + blockIdx.x * P::rows * ld_), y(y_ + blockIdx.y * P::rows * ld_),
          row(threadIdx.x / P::k_block), column(threadIdx.x % P::k_block), sx((V *)storage),
          sy(sx + P::rows * P::stride)
    {
    }

    __device__ void load_x(int at)
    {
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            sx[r * P::stride + column] = at + column < k ? x[r * ld + at + column] : V(0);
        }
    }

    __device__ auto load_x_fetch(int at)
    {
        struct {
            V sx_next[P::loads];
        } next;
        #pragma unroll
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            next.sx_next[i] = at + column < k ? x[r * ld + at + column] : V(0);
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_x_store(const Registers &next)
    {
        #pragma unroll
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            sx[r * P::stride + column] = next.sx_next[i];
        }
    }

    __device__ void load_y(int at)
    {
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            sy[r * P::stride + column] = at + column < k ? y[r * ld + at + column] : V(0);
        }
    }

    __device__ auto load_y_fetch(int at)
    {
        struct {
            V sy_next[P::loads];
        } next;
        #pragma unroll
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            next.sy_next[i] = at + column < k ? y[r * ld + at + column] : V(0);
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_y_store(const Registers &next)
    {
        #pragma unroll
        for (int i = 0; i < P::loads; ++i) {
            const int r = row + i * (P::threads / P::k_block);
            sy[r * P::stride + column] = next.sy_next[i];
        }
    }
};

// pipelinify: launch pairwise<float, policy<float, 4, 8, 32, 64>>
//   sizes    k=0,1,8,15,24
//   target   k=512
//   grid     2, 2
//   block    64
//   smem     2 * 32 * 9 * 4
//   x:       in  [2 * 32 * k + 1]
//   y:       in  [2 * 32 * k + 1]
//   out:     out [64 * 64]
//   k:       k
template <typename V, typename P>
__global__ void __launch_bounds__(P::threads)
    pairwise(const V *__restrict__ x, const V *__restrict__ y, V *__restrict__ out, int k)
{
    extern __shared__ __align__(16) char storage[];
    // 2 stages of 2304 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned storage_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(storage_given));
    if (storage_given != 2 * 2304 + 1)
        __trap();
    auto &storage_stage = reinterpret_cast<char (&)[2][2304]>(storage);
    contraction<V, P> both(x, y, k, k, storage_stage[0]);
    V sum[P::per_thread][P::per_thread] = {};
    const int r0 = threadIdx.x / 8, c0 = threadIdx.x % 8;
    // pipelinify: ldg, 2 stages, source 5a5e2430
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V), "V must be plain data and not volatile");
    int at = 0, stage = 0;
    if (at < k) {
        auto compute_tile = [&]() {
            auto &storage = storage_stage[stage];
            contraction<V, P> both(x, y, k, k, storage);
            for (int i = 0; i < P::k_block; ++i)
                for (int r = 0; r < P::per_thread; ++r)
                    for (int c = 0; c < P::per_thread; ++c) {
                        const V d = both.sx[(r0 + r * 8) * P::stride + i] - both.sy[(c0 + c * 8) * P::stride + i];
                        sum[r][c] += d * d;
                    }
        };
        {
            auto &storage = storage_stage[0];
            contraction<V, P> both(x, y, k, k, storage);
            both.load_x(at);
            both.load_y(at);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += P::k_block; at < k; at += P::k_block) {
            auto storage_next = both.load_x_fetch(at);
            auto storage_next2 = both.load_y_fetch(at);
            compute_tile();
            stage ^= 1;
            {
                auto &storage = storage_stage[stage];
                contraction<V, P> both(x, y, k, k, storage);
                both.load_x_store(storage_next);
                both.load_y_store(storage_next2);
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int r = 0; r < P::per_thread; ++r)
        for (int c = 0; c < P::per_thread; ++c)
            out[(blockIdx.x * P::rows + r0 + r * 8) * 64 + blockIdx.y * P::rows + c0 + c * 8] = sum[r][c];
}

void launch(const float *x, const float *y, float *out, int k)
{
    using p = policy<float, 4, 8, 32, 64>;
    pairwise<float, p><<<dim3(2, 2), p::threads, 2 * p::rows * p::stride * sizeof(float) + 2304 + 1>>>(x, y, out, k);
}
