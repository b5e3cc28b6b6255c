// Default arguments `T()` and `T(1)`, which an instantiation makes numbers.
namespace mx {
template <typename T = float> struct Plus {
    static __device__ __forceinline__ void apply(T &dst, T src, T weight = T(1)) { dst += src * weight; }
};
template <typename T, int N = 32> struct RowReader {
    const T *base;
    int len;
    __device__ RowReader(const T *b, int n) : base(b), len(n) {}
    __device__ T get(int i, T fallback = T()) const
    {
        if (i >= 0 && i < len)
            return base[i];
        return fallback;
    }
};

// pipelinify: launch mx::causal_mean<float>
//   sizes    R=1,3 N=0,1,31,32,33,100
//   grid     R
//   block    32
//   x:       in [R * N]
//   y:       out [R * 32]
//   n:       N
// pipelinify: launch mx::causal_mean<int, 64, mx::Plus<int>>
//   sizes    R=3 N=0,1,64,65,200
//   grid     R
//   block    64
//   x:       in [R * N]
//   y:       out [R * 64]
//   n:       N
template <typename T = float, int BS = 32, typename Reducer = Plus<T>>
__global__ void causal_mean(const T *__restrict__ x, T *__restrict__ y, int n)
{
    __shared__ T cells_stage[2][2 * BS];
    const RowReader<T, BS> row(x + (size_t)blockIdx.x * n, n);
    T sum = T();
    // pipelinify: ldg, 2 stages, source 7531b199
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_same(Reducer, mx::Plus<>) ||
                  __is_same(Reducer, mx::Plus<int>),
                  "pipelined for this Reducer alone: run pipelinify again for another");
    int i0 = 0, stage = 0;
    if (i0 < n) {
        cells_stage[0][threadIdx.x] = row.get(i0 - BS + (int)threadIdx.x);
        cells_stage[0][threadIdx.x + BS] = row.get(i0 + (int)threadIdx.x, T(0));
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i0 += BS; i0 < n; i0 += BS) {
            T cells_next = row.get(i0 - BS + (int)threadIdx.x);
            T cells_next2 = row.get(i0 + (int)threadIdx.x, T(0));
            for (int j = 0; j < BS; ++j)
                Reducer::apply(sum, cells_stage[stage][threadIdx.x + j + 1]);
            stage ^= 1;
            cells_stage[stage][threadIdx.x] = cells_next;
            cells_stage[stage][threadIdx.x + BS] = cells_next2;
            __syncthreads();
        }
        for (int j = 0; j < BS; ++j)
            Reducer::apply(sum, cells_stage[stage][threadIdx.x + j + 1]);
    }
    y[blockIdx.x * BS + threadIdx.x] = sum;
}
} // namespace mx
