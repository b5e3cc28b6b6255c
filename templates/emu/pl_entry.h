/* pl_entry.h - makes a kernel callable by the runner, whatever its signature.
 *
 * PL_ENTRY(n, f) defines the symbol pl_kernel_n. Everything about the parameters
 * comes from the type of f, so that a launch description names no types. */
#ifndef PL_ENTRY_H
#define PL_ENTRY_H

#include "pl_emu.h"
#include "pl_types.h"

template <unsigned... I> struct pl_indices {};
template <unsigned N, unsigned... I>
struct pl_count : pl_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct pl_count<0, I...> {
  typedef pl_indices<I...> type;
};

/* A parameter's type as far as callers see it: `const float *__restrict__` and
 * `float *` take the same argument. */
template <class T> struct pl_plain { typedef typename pl_bare<T>::type type; };
template <class T> struct pl_plain<T *> {
  typedef typename pl_plain<T>::type *type;
};
/* "... P = {float*, int}]", or "<float *, int>" in clang's words. */
template <class... P> PL_QUIET const char *pl_type_names() {
  return __PRETTY_FUNCTION__;
}

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
  PL_QUIET static const char *types() {
    return pl_type_names<typename pl_plain<typename pl_bare<P>::type>::type...>();
  }
  PL_QUIET static void (*address(void))(void) { return (void (*)(void))F; }
};

/* A kernel may have the name of a function of the C library's. */
template <class... P> constexpr auto pl_kernel_at(void (*f)(P...)) {
  return f;
}

/* Has a value, by which it stands in front of the shared objects: so that the
 * first of them, too, has what is nobody's before it. */
static thread_local char pl_anchor[16] __attribute__((aligned(128))) = {1};

template <class E> PL_QUIET void pl_describe(pl_kernel *k) {
  k->call = E::call;
  k->n_params = E::n;
  k->params = E::params;
  k->types = E::types();
  k->thread_local_anchor = pl_anchor;
  k->kernel = E::address();
}

/* Stands behind the user's text, whose macros may have any short name. */
#define PL_ENTRY(pl_index, ...)                                                \
  extern "C" __attribute__((visibility("default"))) void                       \
      pl_kernel_##pl_index(pl_kernel *pl_k) {                                  \
    pl_describe<pl_entry<pl_kernel_at(__VA_ARGS__)>>(pl_k);                    \
  }

#endif
