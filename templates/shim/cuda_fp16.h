/* half and half2. */
#ifndef PL_CUDA_FP16_H
#define PL_CUDA_FP16_H
#pragma GCC system_header
#include <pl_narrow.h>
PL_NARROW_TYPES(__half, __half2, __half_raw)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#ifndef __CUDA_NO_HALF_OPERATORS__
PL_NARROW_OPS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
PL_NARROW_OPS(__half2)
#endif
PL_NARROW_MATH(__half, , bool)
PL_NARROW_MATH(__half2, 2, __half2)
PL_NARROW_FUNCS(__half)
PL_NARROW_PAIR(__half, __half2)
PL_NARROW_INTEGERS(__half, half)
PL_HD __half2 make_half2(__half, __half);
PL_HD float __half2float(__half);
PL_HD __half __float2half(float);
PL_HD __half __double2half(double);
PL_HD __half2 __float2half2_rn(float);
PL_HD __half2 __floats2half2_rn(float, float);
PL_HD __half2 __float22half2_rn(float2);
PL_HD float2 __half22float2(__half2);
PL_HD float __low2float(__half2);
PL_HD float __high2float(__half2);
PL_HD __half __low2half(__half2);
PL_HD __half __high2half(__half2);
PL_HD __half2 __low2half2(__half2);
PL_HD __half2 __high2half2(__half2);
PL_HD __half2 __lows2half2(__half2, __half2);
PL_HD __half2 __highs2half2(__half2, __half2);
PL_HD __half2 __lowhigh2highlow(__half2);
PL_HD __half2 __half2half2(__half);
PL_HD __half2 __halves2half2(__half, __half);
PL_HD short __half_as_short(__half);
PL_HD unsigned short __half_as_ushort(__half);
PL_HD __half __short_as_half(short);
PL_HD __half __ushort_as_half(unsigned short);
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#endif
