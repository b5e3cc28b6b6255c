// The tile's size is a static constant that a policy decides; a member template of a nested
// class loads.
namespace dev {
enum LoadAlgorithm { LOAD_DIRECT, LOAD_STRIPED };
template <typename T, int BLOCK_THREADS, int ITEMS, LoadAlgorithm ALGORITHM> struct BlockLoad {
    template <LoadAlgorithm A, int DUMMY> struct Internal;
    template <int DUMMY> struct Internal<LOAD_DIRECT, DUMMY> {
        int linear_tid;
        __device__ __forceinline__ Internal(int t) : linear_tid(t) {}
        template <typename It> __device__ __forceinline__ void Load(It it, T (&items)[ITEMS], int valid, T oob)
        {
#pragma unroll
            for (int i = 0; i < ITEMS; ++i)
                items[i] = oob;
#pragma unroll
            for (int i = 0; i < ITEMS; ++i)
                if (linear_tid * ITEMS + i < valid)
                    items[i] = it[linear_tid * ITEMS + i];
        }
    };
    template <int DUMMY> struct Internal<LOAD_STRIPED, DUMMY> {
        int linear_tid;
        __device__ __forceinline__ Internal(int t) : linear_tid(t) {}
        template <typename It> __device__ __forceinline__ void Load(It it, T (&items)[ITEMS], int valid, T oob)
        {
#pragma unroll
            for (int i = 0; i < ITEMS; ++i)
                items[i] = oob;
#pragma unroll
            for (int i = 0; i < ITEMS; ++i)
                if (linear_tid + i * BLOCK_THREADS < valid)
                    items[i] = it[linear_tid + i * BLOCK_THREADS];
        }
    };
    typedef Internal<ALGORITHM, 0> InternalLoad;
    template <typename It> __device__ __forceinline__ static void Run(It it, T (&items)[ITEMS], int valid, T oob)
    {
        InternalLoad(threadIdx.x).Load(it, items, valid, oob);
    }
};
struct Max { template <typename T> __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a > b ? a : b; } };
struct Sum { template <typename T> __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a + b; } };

template <int THREADS, int ITEMS_, LoadAlgorithm A_> struct AgentPolicy {
    static const int BLOCK_THREADS = THREADS;
    static const int ITEMS = ITEMS_;
    static const LoadAlgorithm ALGORITHM = A_;
};
typedef AgentPolicy<64, 2, LOAD_STRIPED> Striped;
typedef AgentPolicy<32, 4, LOAD_DIRECT> Direct;

// pipelinify: launch dev::segmented<dev::Striped, float, dev::Sum>
//   sizes    S=1,3 N=0,1,127,128,129,300
//   grid     S
//   block    64
//   in:      in [S * N]
//   out:     out [S * 64]
//   n:       N
//   init:    0.0
// pipelinify: launch dev::segmented<dev::Direct, int, dev::Max>
//   sizes    S=1,3 N=0,1,127,128,129,300
//   grid     S
//   block    32
//   in:      in [S * N]
//   out:     out [S * 32]
//   n:       N
//   init:    -9
template <typename Policy, typename T, typename ReductionOp>
__launch_bounds__(Policy::BLOCK_THREADS) __global__ void segmented(const T *__restrict__ in, T *__restrict__ out, int n, T init)
{
    static const int TILE = Policy::BLOCK_THREADS * Policy::ITEMS;
    typedef BlockLoad<T, Policy::BLOCK_THREADS, Policy::ITEMS, Policy::ALGORITHM> Loader;
    __shared__ T tile[TILE];
    ReductionOp op;
    const T *segment = in + (size_t)blockIdx.x * n;
    T aggregate = init;
    // pipelinify: ldg-single, 1 stage, source 92574d2c
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_same(ReductionOp, dev::Sum) ||
                  __is_same(ReductionOp, dev::Max),
                  "pipelined for this ReductionOp alone: run pipelinify again for another");
    int offset = 0;
    if (offset < n) {
        {
            T items[Policy::ITEMS];
            Loader::Run(segment + offset, items, n - offset, init);
#pragma unroll
            for (int i = 0; i < Policy::ITEMS; ++i)
                tile[threadIdx.x * Policy::ITEMS + i] = items[i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (offset += TILE; offset < n; offset += TILE) {
            T items[Policy::ITEMS];
            Loader::Run(segment + offset, items, n - offset, init);
            for (int j = threadIdx.x % 8; j < TILE; j += 8)
                aggregate = op(aggregate, tile[j]);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < Policy::ITEMS; ++i)
                tile[threadIdx.x * Policy::ITEMS + i] = items[i];
            __syncthreads();
        }
        for (int j = threadIdx.x % 8; j < TILE; j += 8)
            aggregate = op(aggregate, tile[j]);
    }
    out[blockIdx.x * Policy::BLOCK_THREADS + threadIdx.x] = aggregate;
}
} // namespace dev
