// Main loops of class templates: their arguments and their storage are records of the class, that the
// object knows by references. Two types of elements.
#include <cuda_runtime.h>

template <int ROWS_, int K_, int THREADS_>
struct Shape {
    static constexpr int kRows = ROWS_, kK = K_, kThreads = THREADS_;
};

template <typename Element, typename S>
struct Product {
    struct Params {
        const Element *a, *b;
        Element *c;
        int n, k;
    };

    struct SharedStorage {
        Element a[S::kRows][S::kK + 1];
        Element b[S::kK][S::kRows];
    };

    const Params &params;
    SharedStorage &storage;
    int thread;

    __device__ Product(const Params &params_, SharedStorage &storage_)
        : params(params_), storage(storage_), thread(threadIdx.x)
    {
    }

    __device__ void load(int k0)
    {
#pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kK, c = at % S::kK;
            storage.a[r][c] = k0 + c < params.k ? params.a[(blockIdx.y * S::kRows + r) * params.k + k0 + c] : Element(0);
        }
#pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kRows, c = at % S::kRows;
            storage.b[r][c] = k0 + r < params.k ? params.b[(k0 + r) * params.n + blockIdx.x * S::kRows + c] : Element(0);
        }
    }

    __device__ auto load_fetch(int k0)
    {
        struct {
            Element a_next[S::kRows * S::kK / S::kThreads];
            Element b_next[S::kRows * S::kK / S::kThreads];
        } next;
        #pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kK, c = at % S::kK;
            next.a_next[i] = k0 + c < params.k ? params.a[(blockIdx.y * S::kRows + r) * params.k + k0 + c] : Element(0);
        }
        #pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kRows, c = at % S::kRows;
            next.b_next[i] = k0 + r < params.k ? params.b[(k0 + r) * params.n + blockIdx.x * S::kRows + c] : Element(0);
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_store(const Registers &next)
    {
        #pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kK, c = at % S::kK;
            storage.a[r][c] = next.a_next[i];
        }
        #pragma unroll
        for (int i = 0; i < S::kRows * S::kK / S::kThreads; ++i) {
            const int at = thread + i * S::kThreads;
            const int r = at / S::kRows, c = at % S::kRows;
            storage.b[r][c] = next.b_next[i];
        }
    }

    __device__ Element dot(int r, int c) const
    {
        Element sum = 0;
        for (int i = 0; i < S::kK; ++i)
            sum += storage.a[r][i] * storage.b[i][c];
        return sum;
    }
};

// pipelinify: launch multiply<Product<float, Shape<16, 16, 128>>, float>
//   sizes    n=16,32 k=0,1,16,20,48
//   target   n=2048 k=2048
//   grid     n / 16, n / 16
//   block    128
//   a:       in  [n * k + 1]
//   b:       in  [n * k + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
// pipelinify: launch multiply<Product<double, Shape<8, 32, 64>>, double>
//   sizes    n=8,16 k=0,1,32,40,96
//   grid     n / 8, n / 8
//   block    64
//   a:       in  [n * k + 1]
//   b:       in  [n * k + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
template <typename Core, typename Element>
__global__ void multiply(const Element *a, const Element *b, Element *c, int n, int k)
{
    __shared__ typename Core::SharedStorage storage_stage[2];
    const typename Core::Params params = {a, b, c, n, k};
    constexpr int kRows = sizeof(Element) == 4 ? 16 : 8, kEach = sizeof(Element) == 4 ? 2 : 1;
    constexpr int kThreads = kRows * kRows / kEach, kDepth = sizeof(Element) == 4 ? 16 : 32;
    Core core(params, storage_stage[0]);
    Element sums[kEach] = {};
    // pipelinify: ldg, 2 stages, source d504bf4b
    static_assert(__is_same(Core, Product<float, Shape<16, 16, 128>>) ||
                  __is_same(Core, Product<double, Shape<8, 32, 64>>),
                  "pipelined for this Core alone: run pipelinify again for another");
    static_assert(__is_trivially_copyable(Element) && !__is_same(Element, volatile Element),
                  "Element must be plain data and not volatile");
    int k0 = 0, stage = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            auto &storage = storage_stage[stage];
            Core core(params, storage);
            for (int e = 0; e < kEach; ++e) {
                const int at = threadIdx.x + e * kThreads;
                sums[e] += core.dot(at / kRows, at % kRows);
            }
        };
        {
            auto &storage = storage_stage[0];
            Core core(params, storage);
            core.load(k0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += kDepth; k0 < k; k0 += kDepth) {
            auto storage_next = core.load_fetch(k0);
            compute_tile();
            stage ^= 1;
            {
                auto &storage = storage_stage[stage];
                Core core(params, storage);
                core.load_store(storage_next);
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int e = 0; e < kEach; ++e) {
        const int at = threadIdx.x + e * kThreads;
        c[(blockIdx.y * kRows + at / kRows) * n + blockIdx.x * kRows + at % kRows] = sums[e];
    }
}
template __global__ void multiply<Product<float, Shape<16, 16, 128>>, float>(const float *, const float *, float *, int, int);
template __global__ void multiply<Product<double, Shape<8, 32, 64>>, double>(const double *, const double *, double *, int, int);

// The record calls a type by a name that means another one to the class's methods.
template <typename T>
struct Line {
    typedef double element;
    struct Storage {
        typedef T element;
        element line[64];
    };

    Storage &s;
    const T *a;

    __device__ Line(Storage &s_, const T *a_) : s(s_), a(a_) {}
    __device__ void load(int k) { s.line[threadIdx.x] = a[k + threadIdx.x] * T(3); }

    __device__ auto load_fetch(int k) {
        T line_next = a[k + threadIdx.x];
        return line_next;
    }

    __device__ void load_store(T line_next) {
        s.line[threadIdx.x] = line_next * T(3);
    }
};

// pipelinify: launch sums<long long>
//   sizes    n=0,64,128,320
//   grid     1
//   block    64
//   a:       in  [n + 1]
//   out:     out [64]
//   n:       n
template <typename T>
__global__ void sums(const T *__restrict__ a, T *__restrict__ out, int n)
{
    __shared__ typename Line<T>::Storage storage_stage[2];
    Line<T> core(storage_stage[0], a);
    T sum = 0;
    // pipelinify: ldg, 2 stages, source 60216d8e
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename Line<T>::Storage) &&
                  !__is_same(typename Line<T>::Storage, volatile typename Line<T>::Storage),
                  "typename Line<T>::Storage must be plain data and not volatile");
    int k = 0, stage = 0;
    if (k < n) {
        {
            auto &storage = storage_stage[0];
            Line<T> core(storage, a);
            core.load(k);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            auto storage_next = core.load_fetch(k);
            {
                auto &storage = storage_stage[stage];
                for (int i = 0; i < 64; ++i) sum += storage.line[i] * i;
            }
            stage ^= 1;
            {
                auto &storage = storage_stage[stage];
                Line<T> core(storage, a);
                core.load_store(storage_next);
            }
            __syncthreads();
        }
        {
            auto &storage = storage_stage[stage];
            for (int i = 0; i < 64; ++i) sum += storage.line[i] * i;
        }
    }
    out[threadIdx.x] = sum;
}
template __global__ void sums<long long>(const long long *__restrict__, long long *__restrict__, int);
