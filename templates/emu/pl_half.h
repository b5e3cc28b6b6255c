/* pl_half.h - half and bfloat16, rounded as the hardware rounds: each operation
 * is done in float and rounded once to nearest even, which for + - * / and sqrt
 * of 11- and 8-bit significands gives the correctly rounded result. */
#ifndef PL_HALF_H
#define PL_HALF_H

#include "pl_entry.h"

PL_QUIET PL_EMU float pl_half_to_float(unsigned short h) {
  unsigned sign = (unsigned)(h & 0x8000) << 16, exponent = h >> 10 & 31;
  unsigned mantissa = h & 0x3ff;
  if (exponent == 31)
    return __uint_as_float(sign | 0x7f800000u | mantissa << 13);
  if (exponent)
    return __uint_as_float(sign | (exponent + 112) << 23 | mantissa << 13);
  float tiny = (float)mantissa * 5.9604644775390625e-8f;
  return sign ? -tiny : tiny;
}

PL_QUIET static inline unsigned short pl_float_to_half(float f) {
  unsigned bits = __float_as_uint(f), sign = bits >> 16 & 0x8000;
  unsigned magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return 0x7fff;
  if (magnitude >= 0x477ff000u)
    return (unsigned short)(sign | 0x7c00);
  if (magnitude < 0x38800000u) {
    float scaled = __uint_as_float(magnitude) * 16777216.f;
    return (unsigned short)(sign | (unsigned)rintf(scaled));
  }
  unsigned odd = magnitude >> 13 & 1;
  magnitude += 0xfff + odd;
  return (unsigned short)(sign | ((magnitude >> 13) - (112u << 10)));
}

PL_QUIET PL_EMU float pl_bfloat16_to_float(unsigned short h) {
  return __uint_as_float((unsigned)h << 16);
}

PL_QUIET PL_EMU unsigned short pl_float_to_bfloat16(float f) {
  unsigned bits = __float_as_uint(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct __half_raw { unsigned short x; };
struct __nv_bfloat16_raw { unsigned short x; };

#define PL_SMALL_FLOAT(H, to_float, from_float)                                \
  struct H {                                                                   \
    unsigned short bits;                                                       \
    H() = default;                                                             \
    PL_EMU_MEMBER H(const H##_raw &r) : bits(r.x) {}                           \
    PL_EMU_MEMBER H(float v) : bits(from_float(v)) {}                          \
    PL_EMU_MEMBER H(double v) : bits(from_float((float)v)) {}                  \
    PL_EMU_MEMBER H(int v) : bits(from_float((float)v)) {}                     \
    PL_EMU_MEMBER H(unsigned v) : bits(from_float((float)v)) {}                \
    PL_EMU_MEMBER H(long v) : bits(from_float((float)v)) {}                    \
    PL_EMU_MEMBER H(unsigned long v) : bits(from_float((float)v)) {}           \
    PL_EMU_MEMBER H(long long v) : bits(from_float((float)v)) {}               \
    PL_EMU_MEMBER H(short v) : bits(from_float((float)v)) {}                   \
    PL_EMU_MEMBER operator float() const { return to_float(bits); }            \
    PL_EMU_MEMBER operator H##_raw() const { return H##_raw{bits}; }           \
    PL_EMU_MEMBER H operator-() const {                                        \
      return H(H##_raw{(unsigned short)(bits ^ 0x8000)});                      \
    }                                                                          \
    PL_EMU_MEMBER H operator+() const { return *this; }                        \
  };                                                                           \
  PL_SMALL_OP(H, +) PL_SMALL_OP(H, -) PL_SMALL_OP(H, *) PL_SMALL_OP(H, /)      \
  PL_SMALL_COMPARE(H, <) PL_SMALL_COMPARE(H, <=) PL_SMALL_COMPARE(H, >)        \
  PL_SMALL_COMPARE(H, >=) PL_SMALL_COMPARE(H, ==) PL_SMALL_COMPARE(H, !=)      \
  PL_EMU H __hadd(H a, H b) { return a + b; }                                  \
  PL_EMU H __hsub(H a, H b) { return a - b; }                                  \
  PL_EMU H __hmul(H a, H b) { return a * b; }                                  \
  PL_EMU H __hdiv(H a, H b) { return a / b; }                                  \
  PL_EMU H __hneg(H a) { return -a; }                                          \
  PL_EMU H __habs(H a) { return a < H(0.f) ? -a : a; }                         \
  PL_EMU H __hfma(H a, H b, H c) {                                             \
    return H((double)(float)a * (double)(float)b + (double)(float)c);          \
  }                                                                            \
  PL_EMU H __hmax(H a, H b) { return a > b ? a : b; }                          \
  PL_EMU H __hmin(H a, H b) { return a < b ? a : b; }                          \
  PL_EMU bool __hgt(H a, H b) { return a > b; }                                \
  PL_EMU bool __hlt(H a, H b) { return a < b; }                                \
  PL_EMU bool __hge(H a, H b) { return a >= b; }                               \
  PL_EMU bool __hle(H a, H b) { return a <= b; }                               \
  PL_EMU bool __heq(H a, H b) { return a == b; }                               \
  PL_EMU H hexp(H a) { return H(expf(a)); }                                    \
  PL_EMU H hlog(H a) { return H(logf(a)); }                                    \
  PL_EMU H hsqrt(H a) { return H(sqrtf(a)); }                                  \
  PL_EMU H hrsqrt(H a) { return H(1.f / sqrtf(a)); }                           \
  PL_EMU H hrcp(H a) { return H(1.f / (float)a); }                             \
  PL_EMU H htanh(H a) { return H(tanhf(a)); }
#define PL_SMALL_OP(H, op)                                                     \
  PL_EMU H operator op(H a, H b) { return H((float)a op(float) b); }           \
  PL_EMU H &operator op##=(H &a, H b) { return a = a op b; }
#define PL_SMALL_COMPARE(H, op)                                                \
  PL_EMU bool operator op(H a, H b) { return (float)a op(float) b; }

PL_SMALL_FLOAT(__half, pl_half_to_float, pl_float_to_half)
PL_SMALL_FLOAT(__nv_bfloat16, pl_bfloat16_to_float, pl_float_to_bfloat16)

PL_KIND_AS(__half, PL_KIND_HALF, 1)
PL_KIND_AS(__nv_bfloat16, PL_KIND_BFLOAT16, 1)

typedef __half half;
typedef __half __nv_half;
typedef __nv_bfloat16 nv_bfloat16;

#define PL_SMALL_PAIR(H, H2)                                                   \
  struct __attribute__((aligned(4))) H2 {                                      \
    H x, y;                                                                    \
    H2() = default;                                                            \
    PL_EMU_MEMBER H2(H a, H b) : x(a), y(b) {}                                 \
  };                                                                           \
  PL_PAIR_OP(H2, +) PL_PAIR_OP(H2, -) PL_PAIR_OP(H2, *) PL_PAIR_OP(H2, /)      \
  PL_EMU H2 __hadd2(H2 a, H2 b) { return a + b; }                              \
  PL_EMU H2 __hsub2(H2 a, H2 b) { return a - b; }                              \
  PL_EMU H2 __hmul2(H2 a, H2 b) { return a * b; }                              \
  PL_EMU H2 __h2div(H2 a, H2 b) { return a / b; }                              \
  PL_EMU H2 __hfma2(H2 a, H2 b, H2 c) {                                        \
    return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                   \
  }                                                                            \
  PL_EMU H2 __hmax2(H2 a, H2 b) {                                              \
    return H2(__hmax(a.x, b.x), __hmax(a.y, b.y));                             \
  }                                                                            \
  PL_EMU H2 __hmin2(H2 a, H2 b) {                                              \
    return H2(__hmin(a.x, b.x), __hmin(a.y, b.y));                             \
  }                                                                            \
  PL_EMU H2 __hneg2(H2 a) { return H2(-a.x, -a.y); }
#define PL_PAIR_OP(H2, op)                                                     \
  PL_EMU H2 operator op(H2 a, H2 b) { return H2(a.x op b.x, a.y op b.y); }     \
  PL_EMU H2 &operator op##=(H2 &a, H2 b) { return a = a op b; }

PL_SMALL_PAIR(__half, __half2)
PL_SMALL_PAIR(__nv_bfloat16, __nv_bfloat162)

PL_KIND_AS(__half2, PL_KIND_HALF, 2)
PL_KIND_AS(__nv_bfloat162, PL_KIND_BFLOAT16, 2)

typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;

PL_EMU float __half2float(__half h) { return h; }
PL_EMU __half __float2half(float f) { return __half(f); }
PL_EMU __half __float2half_rn(float f) { return __half(f); }
PL_EMU __half __double2half(double f) { return __half((float)f); }
PL_EMU __half __int2half_rn(int v) { return __half(v); }
PL_EMU int __half2int_rn(__half h) { return (int)rintf(h); }
PL_EMU int __half2int_rz(__half h) { return (int)(float)h; }
PL_EMU unsigned short __half_as_ushort(__half h) { return h.bits; }
PL_EMU short __half_as_short(__half h) { return (short)h.bits; }
PL_EMU __half __ushort_as_half(unsigned short v) {
  return __half(__half_raw{v});
}
PL_EMU __half __short_as_half(short v) {
  return __half(__half_raw{(unsigned short)v});
}
PL_EMU __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
PL_EMU __half2 make_half2(__half a, __half b) { return __half2(a, b); }
PL_EMU __half2 __half2half2(__half a) { return __half2(a, a); }
PL_EMU __half __low2half(__half2 v) { return v.x; }
PL_EMU __half __high2half(__half2 v) { return v.y; }
PL_EMU float __low2float(__half2 v) { return v.x; }
PL_EMU float __high2float(__half2 v) { return v.y; }
PL_EMU __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
PL_EMU __half2 __floats2half2_rn(float a, float b) { return __half2(a, b); }
PL_EMU __half2 __float2half2_rn(float a) { return __half2(a, a); }
PL_EMU __half2 __float22half2_rn(float2 v) { return __half2(v.x, v.y); }
PL_EMU float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
PL_EMU bool __hisnan(__half h) { return (h.bits & 0x7fff) > 0x7c00; }

PL_EMU float __bfloat162float(__nv_bfloat16 h) { return h; }
PL_EMU __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
PL_EMU __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
PL_EMU unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.bits; }
PL_EMU __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
  return __nv_bfloat16(__nv_bfloat16_raw{v});
}
PL_EMU __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
PL_EMU __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
PL_EMU __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(a, b);
}
PL_EMU __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __nv_bfloat162(a, a);
}
PL_EMU __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __nv_bfloat162(v.x, v.y);
}
PL_EMU float2 __bfloat1622float2(__nv_bfloat162 v) {
  return make_float2(v.x, v.y);
}
PL_EMU __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
PL_EMU float __low2float(__nv_bfloat162 v) { return v.x; }
PL_EMU float __high2float(__nv_bfloat162 v) { return v.y; }
PL_EMU __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
PL_EMU __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }

#endif
