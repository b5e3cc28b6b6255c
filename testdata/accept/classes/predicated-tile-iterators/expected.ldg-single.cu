// Tile iterators that test their own extent, over two layouts, and an epilogue functor.
#include <stdint.h>
namespace cut {
template <int M_, int N_, int K_> struct GemmShape { static int const kM = M_; static int const kN = N_; static int const kK = K_; };
struct RowMajor {
    int stride;
    __device__ RowMajor(int s) : stride(s) {}
    __device__ int operator()(int r, int c) const { return r * stride + c; }
};
struct ColumnMajor {
    int stride;
    __device__ ColumnMajor(int s) : stride(s) {}
    __device__ int operator()(int r, int c) const { return c * stride + r; }
};
template <typename Element, int Rows, int Cols, int Threads, typename Layout, int AdvanceRank> class PredicatedTileIterator {
  public:
    static int const kIterations = Rows * Cols / Threads;
    struct Fragment { Element data[kIterations]; };

  private:
    const Element *pointer_;
    Layout layout_;
    int extent_row_, extent_col_;
    int row_, col_;

  public:
    __device__ PredicatedTileIterator(const Element *ptr, Layout layout, int er, int ec, int thread, int row0, int col0)
        : pointer_(ptr), layout_(layout), extent_row_(er), extent_col_(ec), row_(row0 + thread / Cols),
          col_(col0 + thread % Cols)
    {
    }
    __device__ PredicatedTileIterator &operator++()
    {
        if (AdvanceRank == 0)
            row_ += Rows;
        else
            col_ += Cols;
        return *this;
    }
    __device__ void load(Fragment &frag) const
    {
#pragma unroll
        for (int i = 0; i < kIterations; ++i) {
            int r = row_ + i * (Threads / Cols);
            bool guard = r < extent_row_ && col_ < extent_col_;
            frag.data[i] = guard ? pointer_[layout_(r, col_)] : Element(0);
        }
    }
};
template <typename Element, int Rows, int Cols, int Threads> class SmemIterator {
    Element *pointer_;

  public:
    __device__ SmemIterator(Element *smem, int thread) : pointer_(smem + thread) {}
    template <typename Fragment> __device__ void store(Fragment const &frag)
    {
#pragma unroll
        for (int i = 0; i < Rows * Cols / Threads; ++i)
            pointer_[i * Threads] = frag.data[i];
    }
};
template <typename Element, int Count> struct LinearCombination {
    Element alpha, beta;
    __device__ LinearCombination(Element a, Element b) : alpha(a), beta(b) {}
    __device__ Element operator()(Element acc, Element src) const { return alpha * acc + beta * src; }
};

template <typename Element_, typename Shape_, typename LayoutA_, typename LayoutB_, int kThreads_> struct DefaultMma {
    using Element = Element_;
    using Shape = Shape_;
    using LayoutA = LayoutA_;
    using LayoutB = LayoutB_;
    static int const kThreads = kThreads_;
    using IteratorA = PredicatedTileIterator<Element, Shape::kM, Shape::kK, kThreads, LayoutA, 1>;
    using IteratorB = PredicatedTileIterator<Element, Shape::kK, Shape::kN, kThreads, LayoutB, 0>;
    using SmemA = SmemIterator<Element, Shape::kM, Shape::kK, kThreads>;
    using SmemB = SmemIterator<Element, Shape::kK, Shape::kN, kThreads>;
};
using MmaRR = DefaultMma<float, GemmShape<16, 16, 8>, RowMajor, RowMajor, 128>;
using MmaRC = DefaultMma<double, GemmShape<8, 16, 8>, RowMajor, ColumnMajor, 64>;

// pipelinify: launch cut::gemm<cut::MmaRR, cut::LinearCombination<float, 1>>
//   sizes    M=16,19 N=16,21 K=0,1,8,9,24
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    128
//   A:       in [M * K]
//   B:       in [K * N]
//   C:       inout [M * N]
//   m:       M
//   n:       N
//   k:       K
//   lda:     K
//   ldb:     N
//   alpha:   1.5
//   beta:    0.5
// pipelinify: launch cut::gemm<cut::MmaRC, cut::LinearCombination<double, 1>>
//   sizes    M=8,19 N=16,21 K=0,1,8,9,24
//   grid     (N + 15) / 16, (M + 7) / 8
//   block    64
//   A:       in [M * K]
//   B:       in [K * N]
//   C:       inout [M * N]
//   m:       M
//   n:       N
//   k:       K
//   lda:     K
//   ldb:     K
//   alpha:   1.5
//   beta:    0.5
template <typename Mma, typename Epilogue>
__global__ void __launch_bounds__(Mma::kThreads)
gemm(typename Mma::Element const *__restrict__ A, typename Mma::Element const *__restrict__ B,
     typename Mma::Element *__restrict__ C, int m, int n, int k, int lda, int ldb, typename Mma::Element alpha,
     typename Mma::Element beta)
{
    using Element = typename Mma::Element;
    using Shape = typename Mma::Shape;
    __shared__ Element smem_a[Shape::kM * Shape::kK];
    __shared__ Element smem_b[Shape::kK * Shape::kN];

    typename Mma::IteratorA iterator_A(A, typename Mma::LayoutA(lda), m, k, threadIdx.x, blockIdx.y * Shape::kM, 0);
    typename Mma::IteratorB iterator_B(B, typename Mma::LayoutB(ldb), k, n, threadIdx.x, 0, blockIdx.x * Shape::kN);
    typename Mma::SmemA smem_iterator_A(smem_a, threadIdx.x);
    typename Mma::SmemB smem_iterator_B(smem_b, threadIdx.x);

    constexpr int kAcc = Shape::kM * Shape::kN / Mma::kThreads;
    constexpr int kRowStep = Mma::kThreads / Shape::kN;
    int const row = threadIdx.x / Shape::kN, col = threadIdx.x % Shape::kN;
    Element accum[kAcc] = {};

    int gemm_k_iterations = (k + Shape::kK - 1) / Shape::kK;
    // pipelinify: ldg-single, 1 stage, source 7cec866d
    static_assert(__is_same(Mma, cut::DefaultMma<float, cut::GemmShape<16, 16, 8>, cut::RowMajor, cut::RowMajor, 128>) ||
                  __is_same(Mma, cut::DefaultMma<double, cut::GemmShape<8, 16, 8>, cut::RowMajor, cut::ColumnMajor, 64>),
                  "pipelined for this Mma alone: run pipelinify again for another");
    if (gemm_k_iterations > 0) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int kk = 0; kk < Shape::kK; ++kk)
#pragma unroll
                for (int i = 0; i < kAcc; ++i)
                    accum[i] += smem_a[(row + i * kRowStep) * Shape::kK + kk] * smem_b[kk * Shape::kN + col];
        };
        {
            typename Mma::IteratorA::Fragment tb_frag_A;
            typename Mma::IteratorB::Fragment tb_frag_B;
            iterator_A.load(tb_frag_A);
            iterator_B.load(tb_frag_B);
            ++iterator_A;
            ++iterator_B;
            smem_iterator_A.store(tb_frag_A);
            smem_iterator_B.store(tb_frag_B);
        }
        --gemm_k_iterations;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; gemm_k_iterations > 0; --gemm_k_iterations) {
            typename Mma::IteratorA::Fragment tb_frag_A;
            typename Mma::IteratorB::Fragment tb_frag_B;
            iterator_A.load(tb_frag_A);
            iterator_B.load(tb_frag_B);
            ++iterator_A;
            ++iterator_B;
            compute_tile();
            __syncthreads();
            smem_iterator_A.store(tb_frag_A);
            smem_iterator_B.store(tb_frag_B);
            __syncthreads();
        }
        compute_tile();
    }
    Epilogue epilogue(alpha, beta);
#pragma unroll
    for (int i = 0; i < kAcc; ++i) {
        int r = blockIdx.y * Shape::kM + row + i * kRowStep, c = blockIdx.x * Shape::kN + col;
        if (r < m && c < n)
            C[r * n + c] = epilogue(accum[i], C[r * n + c]);
    }
}
} // namespace cut
