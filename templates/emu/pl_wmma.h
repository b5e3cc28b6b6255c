/* pl_wmma.h - nvcuda::wmma as plain loops.
 *
 * CUDA leaves open which lane holds which element; here element e of a matrix,
 * counted row by row, is x[e / 32] of lane e % 32. Loads and stores are each
 * lane's own; mma_sync meets the other lanes and the last one multiplies for
 * all of them. Products are added in the order of k, in the accumulator's type
 * (half accumulators: in float, rounded once). */
#ifndef PL_WMMA_H
#define PL_WMMA_H

#include "pl_half.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

template <class T> struct pl_store { typedef T type; };
template <> struct pl_store<precision::tf32> { typedef float type; };

template <class Use, int M, int N, int K> struct pl_shape;
template <int M, int N, int K> struct pl_shape<matrix_a, M, N, K> {
  static constexpr int rows = M, cols = K;
};
template <int M, int N, int K> struct pl_shape<matrix_b, M, N, K> {
  static constexpr int rows = K, cols = N;
};
template <int M, int N, int K> struct pl_shape<accumulator, M, N, K> {
  static constexpr int rows = M, cols = N;
};

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static constexpr int rows = pl_shape<Use, M, N, K>::rows;
  static constexpr int cols = pl_shape<Use, M, N, K>::cols;
  typedef typename pl_store<T>::type element_type;
  typedef typename pl_store<T>::type storage_element_type;
  static constexpr int num_elements = rows * cols / 32;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class U, int M, int N, int K, class T, class L, class V>
PL_EMU void fill_fragment(fragment<U, M, N, K, T, L> &f, const V &value) {
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = value;
}

template <class F, class P>
PL_QUIET inline void pl_fetch(F &f, const P *from, unsigned ld, bool by_row) {
  unsigned lane = pl_rt_lane();
  for (int i = 0; i < F::num_elements; i++) {
    unsigned e = (unsigned)i * 32 + lane, r = e / F::cols, c = e % F::cols;
    f.x[i] = from[by_row ? r * ld + c : c * ld + r];
  }
}

template <class F, class P>
PL_EMU void pl_touch_all(const P *p, unsigned ld, bool by_row, bool write) {
  unsigned lane = pl_rt_lane();
  for (int i = 0; i < F::num_elements; i++) {
    unsigned e = (unsigned)i * 32 + lane, r = e / F::cols, c = e % F::cols;
    const P *at = p + (by_row ? r * ld + c : c * ld + r);
    if (write)
      pl_rt_write((void *)at, sizeof(P));
    else
      pl_rt_read(at, sizeof(P));
  }
}

template <class F, class P>
PL_EMU void pl_load(F &f, const P *p, unsigned ld, bool by_row) {
  pl_touch_all<F>(p, ld, by_row, false);
  pl_fetch(f, p, ld, by_row);
}

template <class L> struct pl_by_row;
template <> struct pl_by_row<row_major> { static constexpr bool value = true; };
template <> struct pl_by_row<col_major> { static constexpr bool value = false; };

template <class U, int M, int N, int K, class T, class L, class P>
PL_EMU void load_matrix_sync(fragment<U, M, N, K, T, L> &f, const P *p,
                             unsigned ld) {
  pl_load(f, p, ld, pl_by_row<L>::value);
}
template <int M, int N, int K, class T, class P>
PL_EMU void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const P *p,
                             unsigned ld, layout_t layout) {
  pl_load(f, p, ld, layout == mem_row_major);
}

template <class F, class P>
PL_QUIET inline void pl_put(P *p, const F &f, unsigned ld, bool by_row) {
  unsigned lane = pl_rt_lane();
  for (int i = 0; i < F::num_elements; i++) {
    unsigned e = (unsigned)i * 32 + lane, r = e / F::cols, c = e % F::cols;
    p[by_row ? r * ld + c : c * ld + r] = f.x[i];
  }
}
template <int M, int N, int K, class T, class P>
PL_EMU void store_matrix_sync(P *p, const fragment<accumulator, M, N, K, T> &f,
                              unsigned ld, layout_t layout) {
  typedef fragment<accumulator, M, N, K, T> F;
  pl_touch_all<F>(p, ld, layout == mem_row_major, true);
  pl_put(p, f, ld, layout == mem_row_major);
}

template <class T> struct pl_sum { typedef T type; };
template <> struct pl_sum<__half> { typedef float type; };

template <class D, class A, class B, class C> struct pl_mma {
  D *d;
  const A *a;
  const B *b;
  const C *c;

  template <class F>
  PL_QUIET static typename F::storage_element_type &at(F *f, int r, int c) {
    int e = r * F::cols + c;
    return f->x[e / 32];
  }
  PL_QUIET static void finish(void *const *deposits, unsigned mask);
};

template <class F, class M, class T, class P>
PL_QUIET inline void pl_collect(void *const *deposits, T *to, P M::*member) {
  for (int e = 0; e < F::rows * F::cols; e++) {
    const M *m = (const M *)deposits[e % 32];
    to[e] = m ? (T)(m->*member)->x[e / 32] : T();
  }
}

template <class D, class A, class B, class C>
PL_QUIET void pl_mma<D, A, B, C>::finish(void *const *deposits, unsigned) {
  typedef typename pl_sum<typename C::storage_element_type>::type S;
  static S a[A::rows * A::cols], b[B::rows * B::cols], c[C::rows * C::cols];
  pl_collect<A>(deposits, a, &pl_mma::a);
  pl_collect<B>(deposits, b, &pl_mma::b);
  pl_collect<C>(deposits, c, &pl_mma::c);
  for (int i = 0; i < C::rows; i++)
    for (int k = 0; k < A::cols; k++)
      for (int j = 0; j < C::cols; j++)
        c[i * C::cols + j] += a[i * A::cols + k] * b[k * B::cols + j];
  for (int e = 0; e < C::rows * C::cols; e++)
    if (pl_mma *m = (pl_mma *)deposits[e % 32])
      m->d->x[e / 32] = c[e];
}

template <class D, class A, class B, class C>
PL_EMU void mma_sync(D &d, const A &a, const B &b, const C &c,
                     bool = false) {
  pl_mma<D, A, B, C> m = {&d, &a, &b, &c};
  pl_rt_meet(0xffffffffu, &m, pl_mma<D, A, B, C>::finish, __builtin_LINE());
}

PL_EMU float __float_to_tf32(float v) {
  unsigned bits = __float_as_uint(v);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return v;
  return __uint_as_float((bits + 0x1000) & 0xffffe000u);
}

}
}
#ifndef PL_TF32
#define PL_TF32
using nvcuda::wmma::__float_to_tf32;
#endif

#endif
