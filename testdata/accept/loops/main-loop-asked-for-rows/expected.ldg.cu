// A main loop of a policy, made from the shared storage: behind the loop the kernel
// asks it which element each sum is of, or for what it has left in the tile.

struct Shape32 {
    enum : int { kM = 32, kN = 32, kK = 16, kThreads = 64 };
};

template <class S>
struct Storage {
    float a[S::kK][S::kM + 4];
    float b[S::kK][S::kN + 4];
};

template <class S>
class MainLoop {
    Storage<S> &shared_;
    int tx_, ty_;

public:
    __device__ MainLoop(Storage<S> &shared)
        : shared_(shared), tx_(threadIdx.x % 8), ty_(threadIdx.x / 8) {}

    __device__ void load_a(const float *__restrict__ p, int ld, int rows, int depth) {
        for (int i = threadIdx.x; i < S::kM * S::kK; i += S::kThreads) {
            const int m = i / S::kK, k = i % S::kK;
            shared_.a[k][m] = m < rows && k < depth ? p[(size_t)m * ld + k] : 0.0f;
        }
    }

    __device__ auto load_a_fetch(const float *__restrict__ p, int ld, int rows, int depth) {
        struct {
            float a_next[(S::kM * S::kK + S::kThreads - 1) / S::kThreads];
        } next;
        #pragma unroll
        for (int slot = 0; slot < (S::kM * S::kK + S::kThreads - 1) / S::kThreads; ++slot) {
            int i = threadIdx.x + slot * S::kThreads;
            if (i < S::kM * S::kK) {
                const int m = i / S::kK, k = i % S::kK;
                next.a_next[slot] = m < rows && k < depth ? p[(size_t)m * ld + k] : 0.0f;
            }
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_a_store(const Registers &next) {
        #pragma unroll
        for (int slot = 0; slot < (S::kM * S::kK + S::kThreads - 1) / S::kThreads; ++slot) {
            int i = threadIdx.x + slot * S::kThreads;
            if (i < S::kM * S::kK) {
                const int m = i / S::kK, k = i % S::kK;
                shared_.a[k][m] = next.a_next[slot];
            }
        }
    }
    __device__ void load_b(const float *__restrict__ p, int ld, int cols, int depth) {
        for (int i = threadIdx.x; i < S::kN * S::kK; i += S::kThreads) {
            const int k = i / S::kN, n = i % S::kN;
            shared_.b[k][n] = n < cols && k < depth ? p[(size_t)k * ld + n] : 0.0f;
        }
    }

    __device__ auto load_b_fetch(const float *__restrict__ p, int ld, int cols, int depth) {
        struct {
            float b_next[(S::kN * S::kK + S::kThreads - 1) / S::kThreads];
        } next;
        #pragma unroll
        for (int slot = 0; slot < (S::kN * S::kK + S::kThreads - 1) / S::kThreads; ++slot) {
            int i = threadIdx.x + slot * S::kThreads;
            if (i < S::kN * S::kK) {
                const int k = i / S::kN, n = i % S::kN;
                next.b_next[slot] = n < cols && k < depth ? p[(size_t)k * ld + n] : 0.0f;
            }
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_b_store(const Registers &next) {
        #pragma unroll
        for (int slot = 0; slot < (S::kN * S::kK + S::kThreads - 1) / S::kThreads; ++slot) {
            int i = threadIdx.x + slot * S::kThreads;
            if (i < S::kN * S::kK) {
                const int k = i / S::kN, n = i % S::kN;
                shared_.b[k][n] = next.b_next[slot];
            }
        }
    }
    __device__ void add(float (&sums)[4][4]) const {
        for (int k = 0; k < S::kK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += shared_.a[k][row(i)] * shared_.b[k][col(j)];
    }
    __device__ int row(int i) const { return ty_ * 4 + i; }
    __device__ int col(int j) const { return tx_ * 4 + j; }
    __device__ float last_b(int j) const { return shared_.b[S::kK - 1][col(j)]; }
};

template <class S>
__global__ void __launch_bounds__(S::kThreads)
product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
        int m, int n, int k)
{
    __shared__ Storage<S> storage_stage[2];
    MainLoop<S> loop(storage_stage[0]);
    const int m0 = blockIdx.y * S::kM, n0 = blockIdx.x * S::kN;
    const float *pa = A + (size_t)m0 * k;
    const float *pb = B + n0;
    const float *const end = pa + k;
    float sums[4][4] = {};
    // pipelinify: ldg, 2 stages, source b81aaf3b
    int left = k, stage = 0;
    if (pa < end) {
        auto compute_tile = [&]() {
            auto &storage = storage_stage[stage];
            MainLoop<S> loop(storage);
            loop.add(sums);
        };
        {
            auto &storage = storage_stage[0];
            MainLoop<S> loop(storage);
            loop.load_a(pa, k, m - m0, left);
            loop.load_b(pb, n, n - n0, left);
        }
        pa += S::kK, pb += (size_t)S::kK * n, left -= S::kK;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; pa < end; pa += S::kK, pb += (size_t)S::kK * n, left -= S::kK) {
            auto storage_next = loop.load_a_fetch(pa, k, m - m0, left);
            auto storage_next2 = loop.load_b_fetch(pb, n, n - n0, left);
            compute_tile();
            stage ^= 1;
            {
                auto &storage = storage_stage[stage];
                MainLoop<S> loop(storage);
                loop.load_a_store(storage_next);
                loop.load_b_store(storage_next2);
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (m0 + loop.row(i) < m && n0 + loop.col(j) < n)
                C[(size_t)(m0 + loop.row(i)) * n + n0 + loop.col(j)] = sums[i][j];
}

// Here the tile itself is asked for: it keeps its one buffer.
template <class S>
__global__ void __launch_bounds__(S::kThreads)
product_and_last(const float *__restrict__ A, const float *__restrict__ B,
                 float *__restrict__ C, int n, int k)
{
    __shared__ Storage<S> storage;
    MainLoop<S> loop(storage);
    float sums[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += S::kK) {
        loop.load_a(A + k0, k, S::kM, k - k0);
        loop.load_b(B + (size_t)k0 * n, n, n, k - k0);
        __syncthreads();
        loop.add(sums);
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[loop.row(i) * S::kN + loop.col(j)] = sums[i][j] + loop.last_b(j);
}

template __global__ void product<Shape32>(const float *, const float *, float *, int, int, int);
template __global__ void product_and_last<Shape32>(const float *, const float *, float *, int, int);

// pipelinify: launch product<Shape32>
//   sizes    m=33 n=40 k=0,5,16,17,48,96,112
//   target   m=2048 n=2048 k=2048
//   grid     (n + 31) / 32, (m + 31) / 32
//   block    64
//   A:       in  [m * k]
//   B:       in  [k * n]
//   C:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
// pipelinify: launch product_and_last<Shape32>
//   sizes    n=20,32 k=16,20,48,96
//   grid     1
//   block    64
//   A:       in  [32 * k]
//   B:       in  [k * n]
//   C:       out [32 * 32]
//   n:       n
//   k:       k
