/* pl_words.h - two or four numbers in a word, as the video instructions have
 * them; conversions and functions that go with them. */
#ifndef PL_WORDS_H
#define PL_WORDS_H

#include "pl_run.h"

/* What fits into a T: the nearest to `v` that does. */
template <class T> PL_EMU int pl_fit(int v) {
  const int bits = 8 * (int)sizeof(T);
  const int low = (T)-1 < 0 ? -(1 << (bits - 1)) : 0;
  const int high = (T)-1 < 0 ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  return v < low ? low : v > high ? high : v;
}
PL_EMU int pl_magnitude(int v) { return v < 0 ? -v : v; }

/* NAME##4 and NAME##2: `expr` of the bytes or halves a and b, which are T. */
#define PL_IN_WORD(NAME, Place, expr)                                          \
  PL_EMU unsigned NAME(unsigned left, unsigned right = 0) {                    \
    typedef Place T;                                                           \
    const int bits = 8 * (int)sizeof(T);                                       \
    unsigned r = 0;                                                            \
    for (int i = 0; i < 32; i += bits) {                                       \
      int a = (T)(left >> i), b = (T)(right >> i);                             \
      (void)b;                                                                 \
      r |= ((unsigned)(expr) & ((1u << bits) - 1)) << i;                       \
    }                                                                          \
    return r;                                                                  \
  }
#define PL_IN_WORDS(NAME, SIGN, expr)                                          \
  PL_IN_WORD(NAME##4, SIGN char, expr)                                         \
  PL_IN_WORD(NAME##2, SIGN short, expr)
#define PL_COMPARED(HOW, op)                                                   \
  PL_IN_WORDS(__vcmp##HOW##s, signed, a op b ? -1 : 0)                         \
  PL_IN_WORDS(__vcmp##HOW##u, unsigned, a op b ? -1 : 0)                       \
  PL_IN_WORDS(__vset##HOW##s, signed, a op b ? 1 : 0)                          \
  PL_IN_WORDS(__vset##HOW##u, unsigned, a op b ? 1 : 0)
PL_IN_WORDS(__vadd, unsigned, a + b)
PL_IN_WORDS(__vaddss, signed, pl_fit<T>(a + b))
PL_IN_WORDS(__vaddus, unsigned, pl_fit<T>(a + b))
PL_IN_WORDS(__vsub, unsigned, a - b)
PL_IN_WORDS(__vsubss, signed, pl_fit<T>(a - b))
PL_IN_WORDS(__vsubus, unsigned, pl_fit<T>(a - b))
PL_IN_WORDS(__vabs, signed, pl_magnitude(a))
PL_IN_WORDS(__vabsss, signed, pl_fit<T>(pl_magnitude(a)))
PL_IN_WORDS(__vneg, signed, -a)
PL_IN_WORDS(__vnegss, signed, pl_fit<T>(-a))
PL_IN_WORDS(__vabsdiffs, signed, pl_magnitude(a - b))
PL_IN_WORDS(__vabsdiffu, unsigned, pl_magnitude(a - b))
PL_IN_WORDS(__vavgu, unsigned, (a + b + 1) >> 1)
PL_IN_WORDS(__vhaddu, unsigned, (a + b) >> 1)
PL_IN_WORDS(__vmaxs, signed, a > b ? a : b)
PL_IN_WORDS(__vmaxu, unsigned, a > b ? a : b)
PL_IN_WORDS(__vmins, signed, a < b ? a : b)
PL_IN_WORDS(__vminu, unsigned, a < b ? a : b)
PL_IN_WORDS(__vcmpeq, unsigned, a == b ? -1 : 0)
PL_IN_WORDS(__vcmpne, unsigned, a != b ? -1 : 0)
PL_IN_WORDS(__vseteq, unsigned, a == b ? 1 : 0)
PL_IN_WORDS(__vsetne, unsigned, a != b ? 1 : 0)
PL_COMPARED(lt, <) PL_COMPARED(le, <=) PL_COMPARED(gt, >) PL_COMPARED(ge, >=)
#undef PL_IN_WORD
#undef PL_IN_WORDS
#undef PL_COMPARED

/* The sum of the differences, over the bytes or halves. */
#define PL_SUM_IN_WORD(NAME, Place)                                            \
  PL_EMU unsigned NAME(unsigned a, unsigned b) {                               \
    unsigned sum = 0;                                                          \
    for (int i = 0; i < 32; i += 8 * (int)sizeof(Place))                       \
      sum += (unsigned)pl_magnitude((int)(Place)(a >> i) -                     \
                                    (int)(Place)(b >> i));                     \
    return sum;                                                                \
  }
PL_SUM_IN_WORD(__vsads4, signed char) PL_SUM_IN_WORD(__vsads2, signed short)
PL_SUM_IN_WORD(__vsadu4, unsigned char) PL_SUM_IN_WORD(__vsadu2, unsigned short)
#undef PL_SUM_IN_WORD
PL_EMU unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}

/* A sum and a maximum or minimum, three operands. */
#define PL_DPX(KIND, T)                                                        \
  PL_EMU T __vimax3_##KIND(T a, T b, T c) { return max(max(a, b), c); }        \
  PL_EMU T __vimin3_##KIND(T a, T b, T c) { return min(min(a, b), c); }        \
  PL_EMU T __viaddmax_##KIND(T a, T b, T c) {                                  \
    return max((T)((unsigned)a + (unsigned)b), c);                             \
  }                                                                            \
  PL_EMU T __viaddmin_##KIND(T a, T b, T c) {                                  \
    return min((T)((unsigned)a + (unsigned)b), c);                             \
  }
PL_DPX(s32, int) PL_DPX(u32, unsigned)
#undef PL_DPX
PL_EMU int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
PL_EMU int __vimax3_s32_relu(int a, int b, int c) {
  return max(__vimax3_s32(a, b, c), 0);
}
PL_EMU int __viaddmax_s32_relu(int a, int b, int c) {
  return max(__viaddmax_s32(a, b, c), 0);
}

PL_EMU int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
PL_EMU int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
PL_EMU unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
PL_EMU unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

/* To integers, by the way of rounding. What does not fit is the nearest that
 * does. */
#define PL_ROUNDED(TO, NAME, FROM, low, high)                                  \
  PL_EMU TO pl_##NAME(FROM v) {                                                \
    return v != v ? 0 : v >= (FROM)(high) ? (high) : v <= (FROM)(low) ? (low)  \
                                                                   : (TO)v;    \
  }                                                                            \
  PL_EMU TO NAME##_rn(FROM v) { return pl_##NAME((FROM)rint(v)); }             \
  PL_EMU TO NAME##_rz(FROM v) { return pl_##NAME((FROM)trunc(v)); }            \
  PL_EMU TO NAME##_rd(FROM v) { return pl_##NAME((FROM)floor(v)); }            \
  PL_EMU TO NAME##_ru(FROM v) { return pl_##NAME((FROM)ceil(v)); }
PL_ROUNDED(int, __float2int, float, INT_MIN, INT_MAX)
PL_ROUNDED(unsigned, __float2uint, float, 0u, UINT_MAX)
PL_ROUNDED(long long, __float2ll, float, LLONG_MIN, LLONG_MAX)
PL_ROUNDED(unsigned long long, __float2ull, float, 0ull, ULLONG_MAX)
PL_ROUNDED(int, __double2int, double, INT_MIN, INT_MAX)
PL_ROUNDED(unsigned, __double2uint, double, 0u, UINT_MAX)
PL_ROUNDED(long long, __double2ll, double, LLONG_MIN, LLONG_MAX)
PL_ROUNDED(unsigned long long, __double2ull, double, 0ull, ULLONG_MAX)
#undef PL_ROUNDED
PL_EMU float __int2float_rn(int v) { return (float)v; }
PL_EMU float __uint2float_rn(unsigned v) { return (float)v; }
PL_EMU float __ll2float_rn(long long v) { return (float)v; }
PL_EMU float __ull2float_rn(unsigned long long v) { return (float)v; }
PL_EMU float __double2float_rn(double v) { return (float)v; }
PL_EMU double __int2double_rn(int v) { return v; }
PL_EMU double __uint2double_rn(unsigned v) { return v; }
PL_EMU double __ll2double_rn(long long v) { return (double)v; }
PL_EMU double __ull2double_rn(unsigned long long v) { return (double)v; }

PL_EMU void sincospif(float a, float *s, float *c) {
  *s = sinpif(a);
  *c = cospif(a);
}
PL_EMU void sincospi(double a, double *s, double *c) {
  *s = sin(a * 3.14159265358979323846);
  *c = cos(a * 3.14159265358979323846);
}
PL_EMU double norm3d(double a, double b, double c) {
  return sqrt(a * a + b * b + c * c);
}
PL_EMU float norm4df(float a, float b, float c, float d) {
  return sqrtf(a * a + b * b + c * c + d * d);
}
PL_EMU float rnorm3df(float a, float b, float c) {
  return 1.f / norm3df(a, b, c);
}

#endif
