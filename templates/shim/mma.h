/* Warp matrices. */
#ifndef PL_MMA_H
#define PL_MMA_H
#pragma GCC system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace nvcuda {
namespace wmma {
struct row_major; struct col_major;
struct matrix_a; struct matrix_b; struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; struct u4; struct s4; struct b1; }
namespace experimental { namespace precision { struct u4; struct s4; struct b1; } }
template <class T> struct pl_element { typedef T type; };
template <> struct pl_element<precision::tf32> { typedef float type; };
template <> struct pl_element<precision::u4> { typedef unsigned type; };
template <> struct pl_element<precision::s4> { typedef int type; };
template <> struct pl_element<precision::b1> { typedef unsigned type; };
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  typedef typename pl_element<T>::type element_type;
  static constexpr int num_elements = 16, num_storage_elements = 16;
  element_type x[16];
};
template <class U, int M, int N, int K, class T, class L, class V>
PL_D void fill_fragment(fragment<U, M, N, K, T, L> &, const V &);
template <class U, int M, int N, int K, class T, class L, class V>
PL_D void load_matrix_sync(fragment<U, M, N, K, T, L> &, const V *, unsigned);
template <class U, int M, int N, int K, class T, class L, class V>
PL_D void load_matrix_sync(fragment<U, M, N, K, T, L> &, const V *, unsigned,
                           layout_t);
template <class U, int M, int N, int K, class T, class L, class V>
PL_D void store_matrix_sync(V *, const fragment<U, M, N, K, T, L> &, unsigned,
                            layout_t);
template <int M, int N, int K, class A, class B, class LA, class LB, class C,
          class D>
PL_D void mma_sync(fragment<accumulator, M, N, K, D> &,
                   const fragment<matrix_a, M, N, K, A, LA> &,
                   const fragment<matrix_b, M, N, K, B, LB> &,
                   const fragment<accumulator, M, N, K, C> &, bool = false);
PL_HD float __float_to_tf32(float);
} // namespace wmma
} // namespace nvcuda
#endif
