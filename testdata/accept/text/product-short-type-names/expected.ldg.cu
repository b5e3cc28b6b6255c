// Generic tile product whose loop body gives types their short names.
#include <cuda_runtime.h>

template <int kTile_, typename T_>
struct ProductTraits {
    static constexpr int kTile = kTile_;
    using Value = T_;
    using Accum = float;
};

template <typename Traits>
__global__ void product(const typename Traits::Value *__restrict__ a, const typename Traits::Value *__restrict__ b,
                        typename Traits::Accum *__restrict__ c, int n)
{
    __shared__ typename Traits::Value sa_stage[2][Traits::kTile][Traits::kTile];
    __shared__ typename Traits::Value sb_stage[2][Traits::kTile][Traits::kTile];
    typename Traits::Accum acc = 0;

    // pipelinify: ldg, 2 stages, source b8514b92
    {
        using T = Traits;
        using Value = typename T::Value;
        static_assert(__is_trivially_copyable(typename Traits::Value) &&
                      !__is_same(typename Traits::Value, volatile typename Traits::Value),
                      "typename Traits::Value must be plain data and not volatile");
        static_assert(__is_trivially_copyable(typename Traits::Accum) &&
                      !__is_same(typename Traits::Accum, volatile typename Traits::Accum),
                      "typename Traits::Accum must be plain data and not volatile");
        int k = 0, stage = 0;
        if (k < n) {
            {
                const int row = blockIdx.y * T::kTile + threadIdx.y;
                const int col = blockIdx.x * T::kTile + threadIdx.x;
                Value x = 0, y = 0;
                if (row < n && k + threadIdx.x < n) x = a[row * n + k + threadIdx.x];
                if (col < n && k + threadIdx.y < n) y = b[(k + threadIdx.y) * n + col];
                sa_stage[0][threadIdx.y][threadIdx.x] = x;
                sb_stage[0][threadIdx.y][threadIdx.x] = y;
            }
            k += Traits::kTile;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (; k < n; k += Traits::kTile) {
                const int row = blockIdx.y * T::kTile + threadIdx.y;
                const int col = blockIdx.x * T::kTile + threadIdx.x;
                Value x = 0, y = 0;
                if (row < n && k + threadIdx.x < n) x = a[row * n + k + threadIdx.x];
                if (col < n && k + threadIdx.y < n) y = b[(k + threadIdx.y) * n + col];
                for (int i = 0; i < T::kTile; ++i)
                    acc += typename T::Accum(sa_stage[stage][threadIdx.y][i]) *
                           typename T::Accum(sb_stage[stage][i][threadIdx.x]);
                stage ^= 1;
                sa_stage[stage][threadIdx.y][threadIdx.x] = x;
                sb_stage[stage][threadIdx.y][threadIdx.x] = y;
                __syncthreads();
            }
            for (int i = 0; i < T::kTile; ++i)
                acc += typename T::Accum(sa_stage[stage][threadIdx.y][i]) *
                       typename T::Accum(sb_stage[stage][i][threadIdx.x]);
        }
    }
    const int row = blockIdx.y * Traits::kTile + threadIdx.y;
    const int col = blockIdx.x * Traits::kTile + threadIdx.x;
    if (row < n && col < n) c[row * n + col] = acc;
}

// pipelinify: launch product<ProductTraits<8, float>>
//   sizes n=5,8,12,17,24
//   target n=512
//   grid (n + 7) / 8, (n + 7) / 8
//   block 8, 8
//   a: in [n * n]
//   b: in [n * n]
//   c: inout [n * n]
//   n: n
template __global__ void product<ProductTraits<8, float>>(const float *, const float *, float *, int);
