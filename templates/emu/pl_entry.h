/* pl_entry.h - makes a kernel callable by the runner, whatever its signature.
 *
 * PL_ENTRY(n, f) defines the symbol pl_kernel_n. Everything about the parameters
 * comes from the type of f, so that a launch description names no types. */
#ifndef PL_ENTRY_H
#define PL_ENTRY_H

#include "pl_emu.h"

template <class T> struct pl_kind_of {
  static constexpr int kind = PL_KIND_OTHER;
  static constexpr unsigned lanes = 1;
};
#define PL_KIND_AS(T, k, n)                                                    \
  template <> struct pl_kind_of<T> {                                           \
    static constexpr int kind = k;                                             \
    static constexpr unsigned lanes = n;                                       \
  };
#define PL_KIND_VECTOR(N, k)                                                   \
  PL_KIND_AS(N##1, k, 1) PL_KIND_AS(N##2, k, 2)                                \
  PL_KIND_AS(N##3, k, 3) PL_KIND_AS(N##4, k, 4)

PL_KIND_AS(bool, PL_KIND_BOOL, 1)
PL_KIND_AS(char, PL_KIND_SIGNED, 1)
PL_KIND_AS(signed char, PL_KIND_SIGNED, 1)
PL_KIND_AS(short, PL_KIND_SIGNED, 1)
PL_KIND_AS(int, PL_KIND_SIGNED, 1)
PL_KIND_AS(long, PL_KIND_SIGNED, 1)
PL_KIND_AS(long long, PL_KIND_SIGNED, 1)
PL_KIND_AS(unsigned char, PL_KIND_UNSIGNED, 1)
PL_KIND_AS(unsigned short, PL_KIND_UNSIGNED, 1)
PL_KIND_AS(unsigned, PL_KIND_UNSIGNED, 1)
PL_KIND_AS(unsigned long, PL_KIND_UNSIGNED, 1)
PL_KIND_AS(unsigned long long, PL_KIND_UNSIGNED, 1)
PL_KIND_AS(float, PL_KIND_FLOAT, 1)
PL_KIND_AS(double, PL_KIND_FLOAT, 1)
PL_KIND_VECTOR(char, PL_KIND_SIGNED)
PL_KIND_VECTOR(uchar, PL_KIND_UNSIGNED)
PL_KIND_VECTOR(short, PL_KIND_SIGNED)
PL_KIND_VECTOR(ushort, PL_KIND_UNSIGNED)
PL_KIND_VECTOR(int, PL_KIND_SIGNED)
PL_KIND_VECTOR(uint, PL_KIND_UNSIGNED)
PL_KIND_VECTOR(longlong, PL_KIND_SIGNED)
PL_KIND_VECTOR(ulonglong, PL_KIND_UNSIGNED)
PL_KIND_VECTOR(float, PL_KIND_FLOAT)
PL_KIND_VECTOR(double, PL_KIND_FLOAT)

template <class T> struct pl_bare { typedef T type; };
template <class T> struct pl_bare<const T> { typedef T type; };
template <class T> struct pl_bare<volatile T> { typedef T type; };
template <class T> struct pl_bare<const volatile T> { typedef T type; };
template <class T> struct pl_is_const { static constexpr int value = 0; };
template <class T> struct pl_is_const<const T> {
  static constexpr int value = 1;
};
template <class T> struct pl_size { static constexpr unsigned value = sizeof(T); };
template <> struct pl_size<void> { static constexpr unsigned value = 1; };

template <class T> struct pl_param_of {
  typedef pl_kind_of<typename pl_bare<T>::type> kind;
  static constexpr pl_param value = {0, 0, kind::kind, sizeof(T), kind::lanes};
};
template <class T> struct pl_param_of<T *> {
  typedef typename pl_bare<T>::type bare;
  typedef pl_kind_of<bare> kind;
  static constexpr pl_param value = {1, pl_is_const<T>::value, kind::kind,
                                     pl_size<bare>::value, kind::lanes};
};

template <unsigned... I> struct pl_indices {};
template <unsigned N, unsigned... I>
struct pl_count : pl_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct pl_count<0, I...> {
  typedef pl_indices<I...> type;
};

template <auto F> struct pl_entry;
template <class... P, void (*F)(P...)> struct pl_entry<F> {
  template <unsigned... I>
  PL_QUIET static void unpack(void *const *args, pl_indices<I...>) {
    (void)args;
    F(*(P *)args[I]...);
  }
  PL_QUIET static void call(void *const *args) {
    unpack(args, typename pl_count<sizeof...(P)>::type());
  }
  static constexpr pl_param params[sizeof...(P) + 1] = {
      pl_param_of<typename pl_bare<P>::type>::value..., {0, 0, 0, 0, 0}};
  static constexpr int n = sizeof...(P);
};

static thread_local char pl_anchor[16] __attribute__((aligned(128)));

template <class E> PL_QUIET void pl_describe(pl_kernel *k) {
  k->call = E::call;
  k->n_params = E::n;
  k->params = E::params;
  k->thread_local_anchor = pl_anchor;
}

/* Stands behind the user's text, whose macros may have any short name. */
#define PL_ENTRY(pl_index, ...)                                                \
  extern "C" __attribute__((visibility("default"))) void                       \
      pl_kernel_##pl_index(pl_kernel *pl_k) {                                  \
    pl_describe<pl_entry<__VA_ARGS__>>(pl_k);                                  \
  }

#endif
