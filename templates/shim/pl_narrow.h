/* PL_NARROW(T, T2, ...): what half and bfloat16 have alike. */
#define PL_NARROW_TYPES(T, T2, RAW)                                            \
  struct RAW { unsigned short x; };                                            \
  struct __attribute__((aligned(2))) T {                                       \
    unsigned short pl_bits;                                                    \
    T() = default;                                                             \
    PL_HD constexpr T(RAW) : pl_bits(0) {}                                     \
    PL_HD T(float); PL_HD T(double); PL_HD T(short); PL_HD T(unsigned short);  \
    PL_HD constexpr T(int) : pl_bits(0) {} PL_HD T(unsigned);                  \
    PL_HD T(long); PL_HD T(unsigned long); PL_HD T(long long);                 \
    PL_HD T(unsigned long long);                                               \
    PL_HD operator RAW() const; PL_HD operator float() const;                  \
    PL_HD explicit operator bool() const; PL_HD explicit operator int() const; \
    PL_HD explicit operator double() const;                                    \
    PL_HD explicit operator unsigned() const;                                  \
    PL_HD explicit operator short() const;                                     \
    PL_HD explicit operator unsigned short() const;                            \
    PL_HD explicit operator char() const;                                      \
    PL_HD explicit operator signed char() const;                               \
    PL_HD explicit operator unsigned char() const;                             \
    PL_HD explicit operator long long() const;                                 \
    PL_HD T &operator=(float); PL_HD T &operator=(double);                     \
    PL_HD T &operator=(int); PL_HD T &operator=(unsigned);                     \
  };                                                                           \
  struct RAW##2 { unsigned short x, y; };                                      \
  struct __attribute__((aligned(4))) T2 {                                      \
    T x, y;                                                                    \
    T2() = default;                                                            \
    PL_HD constexpr T2(const T &a, const T &b) : x(a), y(b) {}                 \
    PL_HD T2(const RAW##2 &);                                                  \
    PL_HD operator RAW##2() const;                                             \
  };

#define PL_NARROW_OPS(T)                                                       \
  PL_HD T operator+(const T &, const T &);                                     \
  PL_HD T operator-(const T &, const T &);                                     \
  PL_HD T operator*(const T &, const T &);                                     \
  PL_HD T operator/(const T &, const T &);                                     \
  PL_HD T &operator+=(T &, const T &);                                         \
  PL_HD T &operator-=(T &, const T &);                                         \
  PL_HD T &operator*=(T &, const T &);                                         \
  PL_HD T &operator/=(T &, const T &);                                         \
  PL_HD T &operator++(T &);                                                    \
  PL_HD T operator++(T &, int);                                                \
  PL_HD T operator+(const T &);                                                \
  PL_HD T operator-(const T &);                                                \
  PL_HD bool operator==(const T &, const T &);                                 \
  PL_HD bool operator!=(const T &, const T &);                                 \
  PL_HD bool operator<(const T &, const T &);                                  \
  PL_HD bool operator>(const T &, const T &);                                  \
  PL_HD bool operator<=(const T &, const T &);                                 \
  PL_HD bool operator>=(const T &, const T &);

#define PL_NARROW_MATH(T, SUFFIX, BOOL)                                        \
  PL_HD T __hadd##SUFFIX(T, T);                                                \
  PL_HD T __hsub##SUFFIX(T, T);                                                \
  PL_HD T __hmul##SUFFIX(T, T);                                                \
  PL_HD T __hadd##SUFFIX##_rn(T, T);                                           \
  PL_HD T __hsub##SUFFIX##_rn(T, T);                                           \
  PL_HD T __hmul##SUFFIX##_rn(T, T);                                           \
  PL_HD T __hadd##SUFFIX##_sat(T, T);                                          \
  PL_HD T __hsub##SUFFIX##_sat(T, T);                                          \
  PL_HD T __hmul##SUFFIX##_sat(T, T);                                          \
  PL_HD T __hfma##SUFFIX(T, T, T);                                             \
  PL_HD T __hfma##SUFFIX##_sat(T, T, T);                                       \
  PL_HD T __hfma##SUFFIX##_relu(T, T, T);                                      \
  PL_HD T __hneg##SUFFIX(T);                                                   \
  PL_HD T __habs##SUFFIX(T);                                                   \
  PL_HD T __hmax##SUFFIX(T, T);                                                \
  PL_HD T __hmin##SUFFIX(T, T);                                                \
  PL_HD T __hmax##SUFFIX##_nan(T, T);                                          \
  PL_HD T __hmin##SUFFIX##_nan(T, T);                                          \
  PL_NARROW_COMPARED(eq, T, SUFFIX, BOOL)                                      \
  PL_NARROW_COMPARED(ne, T, SUFFIX, BOOL)                                      \
  PL_NARROW_COMPARED(lt, T, SUFFIX, BOOL)                                      \
  PL_NARROW_COMPARED(le, T, SUFFIX, BOOL)                                      \
  PL_NARROW_COMPARED(gt, T, SUFFIX, BOOL)                                      \
  PL_NARROW_COMPARED(ge, T, SUFFIX, BOOL)                                      \
  PL_HD BOOL __hisnan##SUFFIX(T);

#define PL_NARROW_COMPARED(HOW, T, SUFFIX, BOOL)                               \
  PL_HD BOOL __h##HOW##SUFFIX(T, T);                                           \
  PL_HD BOOL __h##HOW##u##SUFFIX(T, T);

#define PL_NARROW_CONVERTED(TO, NAME, FROM)                                    \
  PL_HD TO NAME##_rn(FROM); PL_HD TO NAME##_rz(FROM);                          \
  PL_HD TO NAME##_rd(FROM); PL_HD TO NAME##_ru(FROM);

/* To and from integers; NAME: how the toolkit spells the type. */
#define PL_NARROW_INTEGERS(T, NAME)                                            \
  PL_NARROW_CONVERTED(int, __##NAME##2int, T)                                  \
  PL_NARROW_CONVERTED(unsigned, __##NAME##2uint, T)                            \
  PL_NARROW_CONVERTED(short, __##NAME##2short, T)                              \
  PL_NARROW_CONVERTED(unsigned short, __##NAME##2ushort, T)                    \
  PL_NARROW_CONVERTED(long long, __##NAME##2ll, T)                             \
  PL_NARROW_CONVERTED(unsigned long long, __##NAME##2ull, T)                   \
  PL_HD signed char __##NAME##2char_rz(T);                                     \
  PL_HD unsigned char __##NAME##2uchar_rz(T);                                  \
  PL_NARROW_CONVERTED(T, __int2##NAME, int)                                    \
  PL_NARROW_CONVERTED(T, __uint2##NAME, unsigned)                              \
  PL_NARROW_CONVERTED(T, __short2##NAME, short)                                \
  PL_NARROW_CONVERTED(T, __ushort2##NAME, unsigned short)                      \
  PL_NARROW_CONVERTED(T, __ll2##NAME, long long)                               \
  PL_NARROW_CONVERTED(T, __ull2##NAME, unsigned long long)                     \
  PL_NARROW_CONVERTED(T, __float2##NAME, float)

#define PL_NARROW_FUNCS(T)                                                     \
  PL_HD T hexp(T); PL_HD T hexp2(T); PL_HD T hlog(T); PL_HD T hlog2(T);        \
  PL_HD T hsqrt(T); PL_HD T hrsqrt(T); PL_HD T hrcp(T); PL_HD T hsin(T);       \
  PL_HD T hexp10(T); PL_HD T hlog10(T); PL_HD T htanh_approx(T);               \
  PL_HD T hcos(T); PL_HD T htanh(T); PL_HD T hfloor(T); PL_HD T hceil(T);      \
  PL_HD T htrunc(T); PL_HD T hrint(T); PL_HD bool __hisinf(T);                 \
  PL_D T atomicAdd(T *, T);

#define PL_NARROW_PAIR(T, T2)                                                  \
  PL_HD T __hdiv(T, T);                                                        \
  PL_HD T2 __h2div(T2, T2);                                                    \
  PL_D T2 atomicAdd(T2 *, T2);                                                 \
  PL_HD T2 __hcmadd(T2, T2, T2);                                               \
  PL_HD T2 h2exp(T2); PL_HD T2 h2exp2(T2); PL_HD T2 h2log(T2);                 \
  PL_HD T2 h2sqrt(T2); PL_HD T2 h2rsqrt(T2); PL_HD T2 h2rcp(T2);               \
  PL_HD T2 h2tanh(T2); PL_HD T2 h2tanh_approx(T2); PL_HD T2 h2exp10(T2);       \
  PL_HD T2 h2log2(T2); PL_HD T2 h2log10(T2); PL_HD T2 h2sin(T2);               \
  PL_HD T2 h2cos(T2); PL_HD T2 h2floor(T2); PL_HD T2 h2ceil(T2);               \
  PL_HD T2 h2trunc(T2); PL_HD T2 h2rint(T2);                                   \
  PL_NARROW_MASKS(eq, T2) PL_NARROW_MASKS(ne, T2) PL_NARROW_MASKS(lt, T2)      \
  PL_NARROW_MASKS(le, T2) PL_NARROW_MASKS(gt, T2) PL_NARROW_MASKS(ge, T2)

#define PL_NARROW_MASKS(HOW, T2)                                               \
  PL_HD unsigned __h##HOW##2_mask(T2, T2);                                     \
  PL_HD unsigned __h##HOW##u2_mask(T2, T2);                                    \
  PL_HD bool __hb##HOW##2(T2, T2);                                             \
  PL_HD bool __hb##HOW##u2(T2, T2);
