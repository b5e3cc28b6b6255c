/* pl_complex.h - cuComplex.h's numbers. Divided and measured without regard to
 * what overflows on the way: both kernels that are compared do it alike. */
#ifndef PL_COMPLEX_H
#define PL_COMPLEX_H

#include "pl_emu.h"

#include <cmath>

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

#define PL_COMPLEX(T, V, F)                                                    \
  PL_EMU V pl_complex(T x, T y) {                                              \
    V v;                                                                       \
    v.x = x;                                                                   \
    v.y = y;                                                                   \
    return v;                                                                  \
  }                                                                            \
  PL_EMU T cuCreal##F(V a) { return a.x; }                                     \
  PL_EMU T cuCimag##F(V a) { return a.y; }                                     \
  PL_EMU T cuCabs##F(V a) { return std::sqrt(a.x * a.x + a.y * a.y); }         \
  PL_EMU V cuConj##F(V a) { return pl_complex(a.x, -a.y); }                    \
  PL_EMU V cuCadd##F(V a, V b) { return pl_complex(a.x + b.x, a.y + b.y); }    \
  PL_EMU V cuCsub##F(V a, V b) { return pl_complex(a.x - b.x, a.y - b.y); }    \
  PL_EMU V cuCmul##F(V a, V b) {                                               \
    return pl_complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);           \
  }                                                                            \
  PL_EMU V cuCdiv##F(V a, V b) {                                               \
    T n = b.x * b.x + b.y * b.y;                                               \
    return pl_complex((a.x * b.x + a.y * b.y) / n,                             \
                      (a.y * b.x - a.x * b.y) / n);                            \
  }                                                                            \
  PL_EMU V cuCfma##F(V a, V b, V c) {                                          \
    return cuCadd##F(cuCmul##F(a, b), c);                                      \
  }

PL_COMPLEX(float, cuFloatComplex, f)
PL_COMPLEX(double, cuDoubleComplex, )
#undef PL_COMPLEX

PL_EMU cuFloatComplex make_cuFloatComplex(float x, float y) {
  return pl_complex(x, y);
}
PL_EMU cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  return pl_complex(x, y);
}
PL_EMU cuComplex make_cuComplex(float x, float y) { return pl_complex(x, y); }
PL_EMU cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return pl_complex((double)a.x, (double)a.y);
}
PL_EMU cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return pl_complex((float)a.x, (float)a.y);
}

#endif
