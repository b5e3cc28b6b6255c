/* 8-bit floating point. */
#ifndef PL_CUDA_FP8_H
#define PL_CUDA_FP8_H
#pragma GCC system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define PL_FP8(T, V1, V2, V4)                                                  \
  struct T {                                                                   \
    __nv_fp8_storage_t __x;                                                    \
    T() = default;                                                             \
    PL_HD explicit T(float); PL_HD explicit T(double); PL_HD explicit T(int);  \
    PL_HD explicit T(__half); PL_HD explicit T(__nv_bfloat16);                 \
    PL_HD explicit operator float() const;                                     \
    PL_HD explicit operator __half() const;                                    \
    PL_HD explicit operator __nv_bfloat16() const;                             \
    PL_HD explicit operator bool() const;                                      \
  };                                                                           \
  struct __attribute__((aligned(2))) V2 {                                      \
    __nv_fp8x2_storage_t __x;                                                  \
    V2() = default;                                                            \
    PL_HD explicit V2(float2); PL_HD explicit V2(__half2);                     \
    PL_HD explicit operator float2() const;                                    \
    PL_HD explicit operator __half2() const;                                   \
  };                                                                           \
  struct __attribute__((aligned(4))) V4 {                                      \
    __nv_fp8x4_storage_t __x;                                                  \
    V4() = default;                                                            \
    PL_HD explicit V4(float4);                                                 \
    PL_HD explicit operator float4() const;                                    \
  };
PL_FP8(__nv_fp8_e4m3, , __nv_fp8x2_e4m3, __nv_fp8x4_e4m3)
PL_FP8(__nv_fp8_e5m2, , __nv_fp8x2_e5m2, __nv_fp8x4_e5m2)
#undef PL_FP8
PL_HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t,
                                               __nv_fp8_interpretation_t);
PL_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t,
                                         __nv_fp8_interpretation_t);
PL_HD __half_raw2 __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t,
                                             __nv_fp8_interpretation_t);
#endif
