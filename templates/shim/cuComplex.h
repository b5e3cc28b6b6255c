/* Complex numbers as pairs. */
#ifndef PL_CUCOMPLEX_H
#define PL_CUCOMPLEX_H
#pragma GCC system_header
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#define PL_COMPLEX(T, V, F)                                                    \
  PL_HD T cuCreal##F(V); PL_HD T cuCimag##F(V); PL_HD T cuCabs##F(V);          \
  PL_HD V cuConj##F(V); PL_HD V cuCadd##F(V, V); PL_HD V cuCsub##F(V, V);      \
  PL_HD V cuCmul##F(V, V); PL_HD V cuCdiv##F(V, V); PL_HD V cuCfma##F(V, V, V);
PL_COMPLEX(float, cuFloatComplex, f)
PL_COMPLEX(double, cuDoubleComplex, )
#undef PL_COMPLEX
PL_HD cuFloatComplex make_cuFloatComplex(float, float);
PL_HD cuDoubleComplex make_cuDoubleComplex(double, double);
PL_HD cuComplex make_cuComplex(float, float);
PL_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex);
PL_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex);
#endif
