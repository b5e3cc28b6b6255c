/* bfloat16 and its pair. */
#ifndef PL_CUDA_BF16_H
#define PL_CUDA_BF16_H
#pragma GCC system_header
#include <pl_narrow.h>
PL_NARROW_TYPES(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
PL_NARROW_OPS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
PL_NARROW_OPS(__nv_bfloat162)
#endif
PL_NARROW_MATH(__nv_bfloat16, , bool)
PL_NARROW_MATH(__nv_bfloat162, 2, __nv_bfloat162)
PL_NARROW_FUNCS(__nv_bfloat16)
PL_NARROW_PAIR(__nv_bfloat16, __nv_bfloat162)
PL_NARROW_INTEGERS(__nv_bfloat16, bfloat16)
PL_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
PL_HD float __bfloat162float(__nv_bfloat16);
PL_HD __nv_bfloat16 __float2bfloat16(float);
PL_HD __nv_bfloat16 __double2bfloat16(double);
PL_HD __nv_bfloat162 __float2bfloat162_rn(float);
PL_HD __nv_bfloat162 __floats2bfloat162_rn(float, float);
PL_HD __nv_bfloat162 __float22bfloat162_rn(float2);
PL_HD float2 __bfloat1622float2(__nv_bfloat162);
PL_HD float __low2float(__nv_bfloat162);
PL_HD float __high2float(__nv_bfloat162);
PL_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
PL_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
PL_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162);
PL_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162);
PL_HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162, __nv_bfloat162);
PL_HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162, __nv_bfloat162);
PL_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162);
PL_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
PL_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
PL_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16);
PL_HD short __bfloat16_as_short(__nv_bfloat16);
PL_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
PL_HD __nv_bfloat16 __short_as_bfloat16(short);
#endif
