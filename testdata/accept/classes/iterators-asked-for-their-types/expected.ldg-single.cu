// Iterators that are classes load fragments of the types that they have, and others store them.
#include <cuda_runtime.h>

template <int M_, int N_, int K_> struct GemmShape { static constexpr int kM = M_, kN = N_, kK = K_; };
template <typename T, int N> struct Array {
    T storage[N];
    __device__ T &operator[](int i) { return storage[i]; }
    __device__ T const &operator[](int i) const { return storage[i]; }
    __device__ void clear() { for (int i = 0; i < N; ++i) storage[i] = T(0); }
};
template <typename Shape_, typename Element_, int Threads> struct MmaPolicy {
    using Shape = Shape_; using Element = Element_;
    static constexpr int kThreads = Threads;
};
template <typename Element, int Rows, int Cols, int Threads> class GlobalIterator {
    const Element *ptr_; int ld_; int row_, col_; int extent_;
public:
    static constexpr int kIterations = Rows * Cols / Threads;
    using Fragment = Array<Element, kIterations>;
    __device__ GlobalIterator(const Element *p, int ld, int extent, int tid) : ptr_(p), ld_(ld), row_(tid / Cols), col_(tid % Cols), extent_(extent) {}
    __device__ void load(Fragment &f) const {
#pragma unroll
        for (int i = 0; i < kIterations; ++i) f[i] = ptr_[(row_ + i * (Threads / Cols)) * ld_ + col_];
    }
    __device__ GlobalIterator &operator++() { ptr_ += extent_; return *this; }
};
template <typename Element, int Rows, int Cols, int Threads> class SmemIterator {
    Element *ptr_;
public:
    static constexpr int kIterations = Rows * Cols / Threads;
    using Fragment = Array<Element, kIterations>;
    __device__ SmemIterator(Element *p, int tid) : ptr_(p + tid) {}
    __device__ void store(Fragment const &f) {
#pragma unroll
        for (int i = 0; i < kIterations; ++i) ptr_[i * Threads] = f[i];
    }
};
template <typename Policy> struct SharedStorage {
    typename Policy::Element A[Policy::Shape::kM * Policy::Shape::kK];
    typename Policy::Element B[Policy::Shape::kK * Policy::Shape::kN];
};

// pipelinify: launch gemm_simt<MmaPolicy<GemmShape<64, 64, 8>, float, 256>>
//   sizes    m=64 n=64,128 k=8,16,24,64
//   target   m=4096 n=4096 k=4096
//   grid     n / 64, m / 64
//   block    256
//   M:       m
//   N:       n
//   K:       k
//   A:       in  [m * k] random
//   B:       in  [k * n] random
//   C:       out [m * n]
template <typename Policy>
__global__ void __launch_bounds__(Policy::kThreads) gemm_simt(int M, int N, int K, const float *__restrict__ A, const float *__restrict__ B,
                                                                float *__restrict__ C)
{
    using Shape = typename Policy::Shape;
    __shared__ SharedStorage<Policy> storage;
    int tid = threadIdx.x;
    GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads> iterA(A + blockIdx.y * Shape::kM * K, K, Shape::kK, tid);
    GlobalIterator<float, Shape::kK, Shape::kN, Policy::kThreads> iterB(B + blockIdx.x * Shape::kN, N, Shape::kK * N, tid);
    SmemIterator<float, Shape::kM, Shape::kK, Policy::kThreads> sA(storage.A, tid);
    SmemIterator<float, Shape::kK, Shape::kN, Policy::kThreads> sB(storage.B, tid);
    float accum[4][4] = {};
    int tx = tid % 16, ty = tid / 16;
    // pipelinify: ldg-single, 1 stage, source 50705766
    {
        using FragmentB = typename GlobalIterator<float, Shape::kK, Shape::kN, Policy::kThreads>::Fragment;
        static_assert(__is_trivially_copyable(typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment) &&
            !__is_same(typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment,
                       volatile typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment),
            "typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment must be plain data and not volatile");
        static_assert(__is_same(Policy, MmaPolicy<GemmShape<64, 64, 8>, float, 256>),
                      "pipelined for this Policy alone: run pipelinify again for another");
        int gemm_k = K / Shape::kK;
        if (gemm_k > 0) {
            auto compute_tile = [&]() {
#pragma unroll
                for (int k = 0; k < Shape::kK; ++k) {
                    float a[4], b[4];
                    for (int i = 0; i < 4; ++i) a[i] = storage.A[(ty * 4 + i) * Shape::kK + k];
                    for (int j = 0; j < 4; ++j) b[j] = storage.B[k * Shape::kN + tx * 4 + j];
                    for (int i = 0; i < 4; ++i)
                        for (int j = 0; j < 4; ++j) accum[i][j] += a[i] * b[j];
                }
            };
            {
                typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment fragA;
                FragmentB fragB;
                iterA.load(fragA);
                iterB.load(fragB);
                ++iterA;
                ++iterB;
                sA.store(fragA);
                sB.store(fragB);
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (--gemm_k; gemm_k > 0; --gemm_k) {
                typename GlobalIterator<float, Shape::kM, Shape::kK, Policy::kThreads>::Fragment fragA;
                FragmentB fragB;
                iterA.load(fragA);
                iterB.load(fragB);
                ++iterA;
                ++iterB;
                compute_tile();
                __syncthreads();
                sA.store(fragA);
                sB.store(fragB);
                __syncthreads();
            }
            compute_tile();
        }
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(blockIdx.y * Shape::kM + ty * 4 + i) * N + blockIdx.x * Shape::kN + tx * 4 + j] = accum[i][j];
}
