/* Device functions by the family: conversions between numbers, two or four
 * numbers in a word, the rarer ones of mathematics. Included by pl_prelude.h. */
#ifndef PL_INTRINSICS_H
#define PL_INTRINSICS_H
#pragma GCC system_header

/* ---- conversions, by the way of rounding ----------------------------------- */

#define PL_ROUND4(TO, NAME, FROM)                                              \
  PL_HD TO NAME##_rn(FROM); PL_HD TO NAME##_rz(FROM);                          \
  PL_HD TO NAME##_rd(FROM); PL_HD TO NAME##_ru(FROM);
PL_ROUND4(int, __float2int, float)
PL_ROUND4(unsigned, __float2uint, float)
PL_ROUND4(long long, __float2ll, float)
PL_ROUND4(unsigned long long, __float2ull, float)
PL_ROUND4(float, __int2float, int)
PL_ROUND4(float, __uint2float, unsigned)
PL_ROUND4(float, __ll2float, long long)
PL_ROUND4(float, __ull2float, unsigned long long)
PL_ROUND4(float, __double2float, double)
PL_ROUND4(int, __double2int, double)
PL_ROUND4(unsigned, __double2uint, double)
PL_ROUND4(long long, __double2ll, double)
PL_ROUND4(unsigned long long, __double2ull, double)
PL_ROUND4(double, __ll2double, long long)
PL_ROUND4(double, __ull2double, unsigned long long)
PL_HD double __int2double_rn(int);
PL_HD double __uint2double_rn(unsigned);

/* ---- two or four numbers in a word ---------------------------------------- */

#define PL_IN_WORD1(NAME)                                                      \
  PL_HD unsigned NAME##2(unsigned); PL_HD unsigned NAME##4(unsigned);
#define PL_IN_WORD2(NAME)                                                      \
  PL_HD unsigned NAME##2(unsigned, unsigned);                                  \
  PL_HD unsigned NAME##4(unsigned, unsigned);
#define PL_COMPARED(HOW)                                                       \
  PL_IN_WORD2(__vcmp##HOW##s) PL_IN_WORD2(__vcmp##HOW##u)                      \
  PL_IN_WORD2(__vset##HOW##s) PL_IN_WORD2(__vset##HOW##u)
PL_IN_WORD1(__vabs) PL_IN_WORD1(__vabsss) PL_IN_WORD1(__vneg)
PL_IN_WORD1(__vnegss)
PL_IN_WORD2(__vadd) PL_IN_WORD2(__vaddss) PL_IN_WORD2(__vaddus)
PL_IN_WORD2(__vsub) PL_IN_WORD2(__vsubss) PL_IN_WORD2(__vsubus)
PL_IN_WORD2(__vabsdiffs) PL_IN_WORD2(__vabsdiffu)
PL_IN_WORD2(__vavgs) PL_IN_WORD2(__vavgu) PL_IN_WORD2(__vhaddu)
PL_IN_WORD2(__vmaxs) PL_IN_WORD2(__vmaxu) PL_IN_WORD2(__vmins)
PL_IN_WORD2(__vminu) PL_IN_WORD2(__vsads) PL_IN_WORD2(__vsadu)
PL_IN_WORD2(__vcmpeq) PL_IN_WORD2(__vcmpne)
PL_IN_WORD2(__vseteq) PL_IN_WORD2(__vsetne)
PL_COMPARED(ge) PL_COMPARED(gt) PL_COMPARED(le) PL_COMPARED(lt)

/* What dynamic programming uses: a sum and a maximum, three operands. */
#define PL_DPX(KIND, T)                                                        \
  PL_HD T __viaddmax_##KIND(T, T, T); PL_HD T __viaddmin_##KIND(T, T, T);      \
  PL_HD T __vimax3_##KIND(T, T, T); PL_HD T __vimin3_##KIND(T, T, T);
#define PL_DPX_RELU(KIND, T)                                                   \
  PL_HD T __viaddmax_##KIND##_relu(T, T, T);                                   \
  PL_HD T __viaddmin_##KIND##_relu(T, T, T);                                   \
  PL_HD T __vimax3_##KIND##_relu(T, T, T);                                     \
  PL_HD T __vimin3_##KIND##_relu(T, T, T);                                     \
  PL_HD T __vimax_##KIND##_relu(T, T); PL_HD T __vimin_##KIND##_relu(T, T);
PL_DPX(s32, int) PL_DPX(u32, unsigned) PL_DPX(s16x2, unsigned)
PL_DPX(u16x2, unsigned)
PL_DPX_RELU(s32, int) PL_DPX_RELU(s16x2, unsigned)
PL_HD int __vibmax_s32(int, int, bool *);
PL_HD int __vibmin_s32(int, int, bool *);
PL_HD unsigned __vibmax_u32(unsigned, unsigned, bool *);
PL_HD unsigned __vibmin_u32(unsigned, unsigned, bool *);
PL_HD unsigned __vibmax_s16x2(unsigned, unsigned, bool *, bool *);
PL_HD unsigned __vibmin_s16x2(unsigned, unsigned, bool *, bool *);
PL_HD unsigned __vibmax_u16x2(unsigned, unsigned, bool *, bool *);
PL_HD unsigned __vibmin_u16x2(unsigned, unsigned, bool *, bool *);

PL_HD int __rhadd(int, int);
PL_HD int __hadd(int, int);
PL_HD unsigned __uhadd(unsigned, unsigned);
PL_HD unsigned __urhadd(unsigned, unsigned);
PL_HD unsigned __dp2a_lo(unsigned, unsigned, unsigned);
PL_HD unsigned __dp2a_hi(unsigned, unsigned, unsigned);
PL_HD int __dp2a_lo(short2, char4, int);
PL_HD int __dp2a_hi(short2, char4, int);
PL_HD unsigned __dp2a_lo(ushort2, uchar4, unsigned);
PL_HD unsigned __dp2a_hi(ushort2, uchar4, unsigned);
PL_HD unsigned __funnelshift_lc(unsigned, unsigned, unsigned);
PL_HD unsigned __funnelshift_rc(unsigned, unsigned, unsigned);

/* ---- mathematics ----------------------------------------------------------- */

#define PL_REAL1(TO, NAME)                                                     \
  PL_HD TO NAME##f(float); PL_HD TO NAME(float); PL_HD TO NAME(double);
PL_HD float erfcinvf(float); PL_HD double erfcinv(double);
PL_HD float cyl_bessel_i0f(float); PL_HD double cyl_bessel_i0(double);
PL_HD float cyl_bessel_i1f(float); PL_HD double cyl_bessel_i1(double);
PL_HD float y0f(float); PL_HD double y0(double);
PL_HD float y1f(float); PL_HD double y1(double);
PL_HD float jnf(int, float); PL_HD double jn(int, double);
PL_HD float ynf(int, float); PL_HD double yn(int, double);
PL_REAL1(int, ilogb)
PL_REAL1(long long, llround)
PL_HD long long llrint(float); PL_HD long long llrint(double);
PL_HD long lroundl(double);
PL_HD float scalbnf(float, int); PL_HD double scalbn(double, int);
PL_HD float scalbn(float, int);
PL_HD float scalblnf(float, long); PL_HD double scalbln(double, long);
PL_HD float remquof(float, float, int *);
PL_HD double remquo(double, double, int *);
PL_HD void sincospi(double, double *, double *);
PL_HD double norm3d(double, double, double);
PL_HD double rnorm3d(double, double, double);
PL_HD float norm4df(float, float, float, float);
PL_HD double norm4d(double, double, double, double);
PL_HD float rnorm4df(float, float, float, float);
PL_HD double rnorm4d(double, double, double, double);
PL_HD float normf(int, const float *); PL_HD double norm(int, const double *);
PL_HD float rnormf(int, const float *);
PL_HD double rnorm(int, const double *);
PL_HD constexpr long long llabs(long long a) { return a < 0 ? -a : a; }
PL_HD unsigned long long ullmin(unsigned long long, unsigned long long);
PL_HD unsigned long long ullmax(unsigned long long, unsigned long long);
PL_HD int __isnanf(float); PL_HD int __isnan(double);
PL_HD int __isinff(float); PL_HD int __isinf(double);
PL_HD int __finitef(float); PL_HD int __finite(double);

/* ---- textures and surfaces -------------------------------------------------- */

#define PL_TEXTURE(NAME, ...)                                                  \
  template <class T> PL_D T NAME(cudaTextureObject_t, __VA_ARGS__);            \
  template <class T> PL_D void NAME(T *, cudaTextureObject_t, __VA_ARGS__);
PL_TEXTURE(tex1Dfetch, int)
PL_TEXTURE(tex1D, float)
PL_TEXTURE(tex2D, float, float)
PL_TEXTURE(tex3D, float, float, float)
PL_TEXTURE(tex1DLayered, float, int)
PL_TEXTURE(tex2DLayered, float, float, int)
PL_TEXTURE(texCubemap, float, float, float)
PL_TEXTURE(texCubemapLayered, float, float, float, int)
PL_TEXTURE(tex1DLod, float, float)
PL_TEXTURE(tex2DLod, float, float, float)
PL_TEXTURE(tex3DLod, float, float, float, float)
PL_TEXTURE(tex2DLayeredLod, float, float, int, float)
PL_TEXTURE(tex2DGrad, float, float, float2, float2)
template <class T>
PL_D T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero,
  cudaBoundaryModeClamp,
  cudaBoundaryModeTrap
};
#define PL_SURFACE(NAME, ...)                                                  \
  template <class T>                                                           \
  PL_D T NAME##read(cudaSurfaceObject_t, __VA_ARGS__,                          \
                    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);           \
  template <class T>                                                           \
  PL_D void NAME##read(T *, cudaSurfaceObject_t, __VA_ARGS__,                  \
                       cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);        \
  template <class T>                                                           \
  PL_D void NAME##write(T, cudaSurfaceObject_t, __VA_ARGS__,                   \
                        cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
PL_SURFACE(surf1D, int)
PL_SURFACE(surf2D, int, int)
PL_SURFACE(surf3D, int, int, int)
PL_SURFACE(surf1DLayered, int, int)
PL_SURFACE(surf2DLayered, int, int, int)

#undef PL_ROUND4
#undef PL_IN_WORD1
#undef PL_IN_WORD2
#undef PL_COMPARED
#undef PL_DPX
#undef PL_DPX_RELU
#undef PL_REAL1
#undef PL_TEXTURE
#undef PL_SURFACE
#endif
