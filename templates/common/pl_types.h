/* pl_types.h - a parameter's description, found from its type by the compiler:
 * a launch description names no types. */
#ifndef PL_TYPES_H
#define PL_TYPES_H

#include "pl_param.h"

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
template <class T> struct pl_size {
  static constexpr unsigned value = sizeof(T);
};
template <> struct pl_size<void> { static constexpr unsigned value = 1; };

template <class T> struct pl_param_of {
  typedef pl_kind_of<typename pl_bare<T>::type> kind;
  static constexpr pl_param value = {0, 0, kind::kind, (unsigned)sizeof(T),
                                     kind::lanes};
};
template <class T> struct pl_param_of<T *> {
  typedef typename pl_bare<T>::type bare;
  typedef pl_kind_of<bare> kind;
  static constexpr pl_param value = {1, pl_is_const<T>::value, kind::kind,
                                     pl_size<bare>::value, kind::lanes};
};

#endif
