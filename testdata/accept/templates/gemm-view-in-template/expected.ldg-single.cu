// Row-major GEMM with non-owning matrix views, which look their cells up
// through a call operator of their own.
#include <cstddef>
#include <type_traits>

namespace linalg {

template <class T>
struct matrix_view {
    T *data;
    int rows, cols;
    std::ptrdiff_t pitch;

    __device__ bool contains(int r, int c) const { return r < rows && c < cols; }
    __device__ T &operator()(int r, int c) const { return data[r * pitch + c]; }
    __device__ std::remove_const_t<T> get_or_zero(int r, int c) const
    {
        return contains(r, c) ? (*this)(r, c) : T{};
    }
};

template <int Tile, class T>
__device__ void multiply(matrix_view<const T> a, matrix_view<const T> b,
                         matrix_view<T> c)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * Tile + ty;
    const int col = blockIdx.x * Tile + tx;

    T sum{};
    // pipelinify: ldg-single, 1 stage, source 651bc790
    {
        __shared__ T as[Tile][Tile + 1];
        __shared__ T bs[Tile][Tile + 1];
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                      "T must be plain data and not volatile");
        int k0 = 0;
        if (k0 < a.cols) {
            as[ty][tx] = a.get_or_zero(row, k0 + tx);
            bs[ty][tx] = b.get_or_zero(k0 + ty, col);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += Tile; k0 < a.cols; k0 += Tile) {
                T as_next = a.get_or_zero(row, k0 + tx);
                T bs_next = b.get_or_zero(k0 + ty, col);

#pragma unroll
                for (int k = 0; k < Tile; ++k)
                    sum += as[ty][k] * bs[k][tx];
                __syncthreads();
                as[ty][tx] = as_next;
                bs[ty][tx] = bs_next;
                __syncthreads();
            }
#pragma unroll
            for (int k = 0; k < Tile; ++k)
                sum += as[ty][k] * bs[k][tx];
            __syncthreads();
        }
    }
    if (c.contains(row, col))
        c(row, col) = sum;
}

} // namespace linalg

// pipelinify: launch view_gemm
//   sizes    M=17 N=20 K=0,5,16,20,33,48
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:  in  [M * K + 1]
//   B:  in  [K * N + 1]
//   C:  out [M * N]
//   m: M
//   n: N
//   k: K
__global__ void view_gemm(const float *__restrict__ A, const float *__restrict__ B,
                          float *__restrict__ C, int m, int n, int k)
{
    using linalg::matrix_view;

    matrix_view<const float> a{A, m, k, k};
    matrix_view<const float> b{B, k, n, n};
    linalg::multiply<16>(a, b, matrix_view<float>{C, m, n, n});
}
