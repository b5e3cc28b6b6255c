/* pl_emu.h - CUDA's language, as far as kernels use it, for a host compiler.
 *
 * Stands in for cuda_runtime.h and is included in front of every kernel file.
 * Static shared memory is thread-local, so that the runner finds all of it in
 * one place; the memory accesses that the compiler sees are reported by
 * -fsanitize=thread, the rest through pl_rt_read and pl_rt_write. */
#ifndef PL_EMU_H
#define PL_EMU_H

#include "pl_run.h"

#include <cstddef>
/* C++17's Bessel functions and their like, which device code has none of: templates
 * that each kernel file would instantiate, two fifths of what compiling it takes. */
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <math.h>
#include <stdlib.h>

#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#define PL_EMU static inline __attribute__((always_inline))
#define PL_EMU_MEMBER inline __attribute__((always_inline))

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
/* Every object begins at a multiple of 64 KB, which is more than a kernel may
 * declare: behind each of them lies what is nobody's, and an access that leaves
 * one does not land in the next. It begins at 16 bytes, too, as ptxas lays out a
 * kernel whose objects are multiples of 16 bytes: kernels that read such a tile
 * as int4 or as fragments without saying __align__ work there. Places inside an
 * object are checked. What nothing writes may not become a constant. */
#define __shared__ static thread_local __attribute__((aligned(65536), used))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#undef __noinline__
#define __noinline__ __attribute__((noinline))
#define __restrict__
#define __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__
#define __cudart_builtin__
#define CUDARTAPI
#define __stdcall_cuda
#define NAN_CUDA __builtin_nanf("")
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931

template <class T> constexpr unsigned long pl_align_of() { return alignof(T); }
template <unsigned long N> constexpr unsigned long pl_align_of() { return N; }

/* Vector types. */

#define PL_VEC1(T, N)                                                          \
  struct N##1 { T x; };                                                        \
  PL_EMU N##1 make_##N##1(T x) { return N##1{x}; }
#define PL_VEC2(T, N, A)                                                       \
  struct __attribute__((aligned(A))) N##2 { T x, y; };                         \
  PL_EMU N##2 make_##N##2(T x, T y) { return N##2{x, y}; }
#define PL_VEC3(T, N)                                                          \
  struct N##3 { T x, y, z; };                                                  \
  PL_EMU N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; }
#define PL_VEC4(T, N, A)                                                       \
  struct __attribute__((aligned(A))) N##4 { T x, y, z, w; };                   \
  PL_EMU N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
#define PL_VEC(T, N, A2, A4)                                                   \
  PL_VEC1(T, N) PL_VEC2(T, N, A2) PL_VEC3(T, N) PL_VEC4(T, N, A4)

PL_VEC(signed char, char, 2, 4)
PL_VEC(unsigned char, uchar, 2, 4)
PL_VEC(short, short, 4, 8)
PL_VEC(unsigned short, ushort, 4, 8)
PL_VEC(int, int, 8, 16)
PL_VEC(unsigned, uint, 8, 16)
PL_VEC(long, long, 16, 16)
PL_VEC(unsigned long, ulong, 16, 16)
PL_VEC(long long, longlong, 16, 16)
PL_VEC(unsigned long long, ulonglong, 16, 16)
PL_VEC(float, float, 8, 16)
PL_VEC(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  operator uint3() const { return uint3{x, y, z}; }
};

/* Fixed for the life of a fiber, hence const: the compiler may keep them. */
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

/* Barriers, warp collectives. */

PL_EMU void __syncthreads(int line = __builtin_LINE()) {
  pl_rt_barrier(0, 0, line);
}
PL_EMU int __syncthreads_count(int p, int line = __builtin_LINE()) {
  return pl_rt_barrier(1, p, line);
}
PL_EMU int __syncthreads_and(int p, int line = __builtin_LINE()) {
  return pl_rt_barrier(2, p, line);
}
PL_EMU int __syncthreads_or(int p, int line = __builtin_LINE()) {
  return pl_rt_barrier(3, p, line);
}

struct pl_vote {
  unsigned long long in, out;
  int mode, argument, width;
};

enum { PL_SHFL, PL_SHFL_UP, PL_SHFL_DOWN, PL_SHFL_XOR, PL_BALLOT, PL_MATCH };

#define PL_QUIET __attribute__((no_sanitize("thread")))

/* The lane that `lane` reads from; itself where that leaves its segment. */
PL_QUIET static inline int pl_source_lane(const pl_vote *v, int lane) {
  int base = lane & ~(v->width - 1), end = base + v->width, from = lane;
  switch (v->mode) {
  case PL_SHFL: return base + (v->argument & (v->width - 1));
  case PL_SHFL_UP: from = lane - v->argument; break;
  case PL_SHFL_DOWN: from = lane + v->argument; break;
  default: from = lane ^ v->argument; return from < end ? from : lane;
  }
  return from < base || from >= end ? lane : from;
}

PL_QUIET static inline void pl_finish_vote(void *const *deposits,
                                           unsigned mask) {
  for (int lane = 0; lane < 32; lane++) {
    pl_vote *v = (pl_vote *)deposits[lane];
    if (!v || !(mask >> lane & 1))
      continue;
    v->out = v->mode < PL_BALLOT ? v->in : 0;
    for (int i = 0; v->mode >= PL_BALLOT && i < 32; i++) {
      const pl_vote *o = (const pl_vote *)deposits[i];
      if (o && (v->mode == PL_BALLOT ? o->in != 0 : o->in == v->in))
        v->out |= 1ull << i;
    }
    if (v->mode < PL_BALLOT) {
      const pl_vote *o = (const pl_vote *)deposits[pl_source_lane(v, lane)];
      v->out = o ? o->in : v->in;
    }
  }
}

PL_EMU unsigned long long pl_vote_now(unsigned mask, unsigned long long in,
                                      int mode, int argument, int width,
                                      int line) {
  pl_vote v = {in, 0, mode, argument, width};
  pl_rt_meet(mask, &v, pl_finish_vote, line);
  return v.out;
}

PL_EMU void pl_finish_nothing(void *const *, unsigned) {}
PL_EMU void __syncwarp(unsigned mask = 0xffffffffu,
                       int line = __builtin_LINE()) {
  pl_rt_meet(mask, nullptr, nullptr, line);
  pl_rt_warp_order();
}

#define PL_SHUFFLE(name, mode, A)                                              \
  template <class T>                                                           \
  PL_EMU T name(unsigned mask, T value, A argument, int width = 32,            \
                int line = __builtin_LINE()) {                                 \
    static_assert(sizeof(T) <= 8, "shuffles move up to 8 bytes");              \
    unsigned long long bits = 0;                                               \
    __builtin_memcpy(&bits, &value, sizeof(T));                                \
    bits = pl_vote_now(mask, bits, mode, (int)argument, width, line);          \
    __builtin_memcpy(&value, &bits, sizeof(T));                                \
    return value;                                                              \
  }
PL_SHUFFLE(__shfl_sync, PL_SHFL, int)
PL_SHUFFLE(__shfl_up_sync, PL_SHFL_UP, unsigned)
PL_SHUFFLE(__shfl_down_sync, PL_SHFL_DOWN, unsigned)
PL_SHUFFLE(__shfl_xor_sync, PL_SHFL_XOR, int)

PL_EMU unsigned __ballot_sync(unsigned mask, int p,
                              int line = __builtin_LINE()) {
  return (unsigned)pl_vote_now(mask, p != 0, PL_BALLOT, 0, 32, line);
}
PL_EMU int __any_sync(unsigned mask, int p, int line = __builtin_LINE()) {
  return __ballot_sync(mask, p, line) != 0;
}
PL_EMU int __all_sync(unsigned mask, int p, int line = __builtin_LINE()) {
  return __ballot_sync(mask, !p, line) == 0;
}
template <class T>
PL_EMU unsigned __match_any_sync(unsigned mask, T v,
                                 int line = __builtin_LINE()) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &v, sizeof(T));
  return (unsigned)pl_vote_now(mask, bits, PL_MATCH, 0, 32, line);
}
PL_EMU unsigned __activemask() { return pl_rt_live_lanes(); }
PL_EMU unsigned __lanemask_lt() { return (1u << pl_rt_lane()) - 1; }

PL_EMU int __reduce_add_sync(unsigned mask, int v) {
  for (int i = 16; i; i >>= 1)
    v += __shfl_xor_sync(mask, v, i);
  return v;
}
PL_EMU int __reduce_max_sync(unsigned mask, int v) {
  for (int i = 16; i; i >>= 1) {
    int o = __shfl_xor_sync(mask, v, i);
    v = o > v ? o : v;
  }
  return v;
}
PL_EMU int __reduce_min_sync(unsigned mask, int v) {
  return -__reduce_max_sync(mask, -v);
}

PL_EMU void __threadfence() { pl_rt_fence(); }
PL_EMU void __threadfence_block() {}
PL_EMU void __threadfence_system() { pl_rt_fence(); }
PL_EMU void __nanosleep(unsigned) {}
PL_EMU long long clock64() { return 0; }
/* The C library's name, in this object alone: time does not pass. */
#ifndef __THROW
#define __THROW
#endif
extern "C" __attribute__((visibility("hidden"))) clock_t clock(void) __THROW;
extern "C" clock_t clock(void) __THROW { return 0; }
PL_EMU void __trap() { pl_rt_trap("__trap()"); }
PL_EMU void __brkpt() {}
#define __builtin_assume(e) ((void)0)

/* Loads and stores with a cache hint. */

#define PL_LOAD(name)                                                          \
  template <class T> PL_EMU T name(const T *p) { return *p; }
PL_LOAD(__ldca) PL_LOAD(__ldcg) PL_LOAD(__ldcs) PL_LOAD(__ldcv) PL_LOAD(__ldlu)
template <class T> PL_EMU T __ldg(const T *p) {
  pl_rt_read_only(p, sizeof *p);
  return *p;
}
#define PL_STORE(name)                                                         \
  template <class T> PL_EMU void name(T *p, T v) { *p = v; }
PL_STORE(__stcg) PL_STORE(__stcs) PL_STORE(__stwb) PL_STORE(__stwt)

/* Atomics: one fiber runs at a time, so plain operations are atomic. */

template <class T> struct pl_same { typedef T type; };

#define PL_ATOMIC(name, expression)                                            \
  template <class T>                                                           \
  PL_QUIET inline T pl_do_##name(T *p, T v) {                                  \
    T old = *p;                                                                \
    *p = (T)(expression);                                                      \
    return old;                                                                \
  }                                                                            \
  template <class T>                                                           \
  PL_EMU T name(T *p, typename pl_same<T>::type v) {                           \
    pl_rt_atomic((void *)p, sizeof(T));                                        \
    return pl_do_##name(p, (T)v);                                              \
  }                                                                            \
  template <class T>                                                           \
  PL_EMU T name##_block(T *p, typename pl_same<T>::type v) {                   \
    return name(p, v);                                                         \
  }                                                                            \
  template <class T>                                                           \
  PL_EMU T name##_system(T *p, typename pl_same<T>::type v) {                  \
    return name(p, v);                                                         \
  }
PL_ATOMIC(atomicAdd, old + v)
PL_ATOMIC(atomicSub, old - v)
PL_ATOMIC(atomicExch, v)
PL_ATOMIC(atomicMin, v < old ? v : old)
PL_ATOMIC(atomicMax, v > old ? v : old)
PL_ATOMIC(atomicAnd, old & v)
PL_ATOMIC(atomicOr, old | v)
PL_ATOMIC(atomicXor, old ^ v)
PL_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
PL_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)

template <class T>
PL_QUIET inline T pl_do_cas(T *p, T compare, T v) {
  T old = *p;
  if (__builtin_memcmp(&old, &compare, sizeof(T)) == 0)
    *p = v;
  return old;
}
template <class T>
PL_EMU T atomicCAS(T *p, typename pl_same<T>::type compare,
                   typename pl_same<T>::type v) {
  pl_rt_atomic((void *)p, sizeof(T));
  return pl_do_cas(p, (T)compare, (T)v);
}

/* Integer functions. */

#define PL_MINMAX(A, B, R)                                                     \
  PL_EMU constexpr R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }       \
  PL_EMU constexpr R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
PL_MINMAX(int, int, int)
PL_MINMAX(unsigned, unsigned, unsigned)
PL_MINMAX(int, unsigned, unsigned)
PL_MINMAX(unsigned, int, unsigned)
PL_MINMAX(long, long, long)
PL_MINMAX(unsigned long, unsigned long, unsigned long)
PL_MINMAX(long, unsigned long, unsigned long)
PL_MINMAX(unsigned long, long, unsigned long)
PL_MINMAX(long long, long long, long long)
PL_MINMAX(unsigned long long, unsigned long long, unsigned long long)
PL_MINMAX(long long, unsigned long long, unsigned long long)
PL_MINMAX(unsigned long long, long long, unsigned long long)
PL_MINMAX(float, double, double)
PL_MINMAX(double, float, double)
PL_EMU float min(float a, float b) { return fminf(a, b); }
PL_EMU float max(float a, float b) { return fmaxf(a, b); }
PL_EMU double min(double a, double b) { return fmin(a, b); }
PL_EMU double max(double a, double b) { return fmax(a, b); }
PL_EMU unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
PL_EMU unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

PL_EMU int __popc(unsigned v) { return __builtin_popcount(v); }
PL_EMU int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
PL_EMU int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
PL_EMU int __clzll(long long v) {
  return v ? __builtin_clzll((unsigned long long)v) : 64;
}
PL_EMU int __ffs(int v) { return __builtin_ffs(v); }
PL_EMU int __ffsll(long long v) { return __builtin_ffsll(v); }
PL_EMU unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++)
    r |= (v >> i & 1) << (31 - i);
  return r;
}
PL_EMU int __mul24(int a, int b) {
  return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8));
}
PL_EMU unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
PL_EMU int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
PL_EMU unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
PL_EMU unsigned long long __umul64hi(unsigned long long a,
                                     unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
PL_EMU unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)((((unsigned long long)hi << 32 | lo) << (s & 31)) >> 32);
}
PL_EMU unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (s & 31));
}
PL_EMU unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  unsigned long long both = (unsigned long long)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    unsigned pick = s >> (4 * i) & 0xf;
    unsigned byte = (unsigned)(both >> (8 * (pick & 7))) & 0xff;
    r |= (pick & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
  }
  return r;
}
PL_EMU unsigned __sad(int a, int b, unsigned c) {
  return c + (unsigned)(a > b ? a - b : b - a);
}

#define PL_BYTE(T, v, i) ((T)((v) >> (8 * (i)) & 0xff))
#define PL_WORD(T, v, i) ((T)((v) >> (16 * (i)) & 0xffff))
template <class A, class B>
PL_EMU int pl_dot4(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++)
    c += (unsigned)((int)PL_BYTE(A, a, i) * (int)PL_BYTE(B, b, i));
  return (int)c;
}
PL_EMU int __dp4a(int a, int b, int c) {
  return pl_dot4<signed char, signed char>((unsigned)a, (unsigned)b,
                                           (unsigned)c);
}
PL_EMU unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return (unsigned)pl_dot4<unsigned char, unsigned char>(a, b, c);
}
PL_EMU int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
PL_EMU unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
PL_EMU int __dp2a_lo(int a, int b, int c) {
  return (int)((unsigned)c +
               (unsigned)(PL_WORD(short, a, 0) * PL_BYTE(signed char, b, 0)) +
               (unsigned)(PL_WORD(short, a, 1) * PL_BYTE(signed char, b, 1)));
}
PL_EMU int __dp2a_hi(int a, int b, int c) {
  return __dp2a_lo(a, (int)((unsigned)b >> 16), c);
}

/* Bits and conversions. */

#define PL_BITS(name, From, To)                                                \
  PL_EMU To name(From v) {                                                     \
    To r;                                                                      \
    __builtin_memcpy(&r, &v, sizeof r);                                        \
    return r;                                                                  \
  }
PL_BITS(__float_as_int, float, int)
PL_BITS(__int_as_float, int, float)
PL_BITS(__float_as_uint, float, unsigned)
PL_BITS(__uint_as_float, unsigned, float)
PL_BITS(__double_as_longlong, double, long long)
PL_BITS(__longlong_as_double, long long, double)

/* The C library has these names already. */
#define __expf pl_expf
#define __exp10f pl_exp10f
#define __logf pl_logf
#define __log2f pl_log2f
#define __log10f pl_log10f
#define __powf pl_powf
#define __sinf pl_sinf
#define __cosf pl_cosf
#define __tanf pl_tanf
#define __tanhf pl_tanhf
#define __sincosf pl_sincosf

PL_EMU float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
PL_EMU double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
PL_EMU float __fadd_rn(float a, float b) { return a + b; }
PL_EMU float __fsub_rn(float a, float b) { return a - b; }
PL_EMU float __fmul_rn(float a, float b) { return a * b; }
PL_EMU float __fdiv_rn(float a, float b) { return a / b; }
PL_EMU float __frcp_rn(float a) { return 1.f / a; }
PL_EMU float __fsqrt_rn(float a) { return sqrtf(a); }
PL_EMU float __frsqrt_rn(float a) { return 1.f / sqrtf(a); }
PL_EMU double __dadd_rn(double a, double b) { return a + b; }
PL_EMU double __dmul_rn(double a, double b) { return a * b; }
PL_EMU float __fdividef(float a, float b) { return a / b; }
PL_EMU float fdividef(float a, float b) { return a / b; }
PL_EMU float pl_expf(float a) { return expf(a); }
PL_EMU float pl_exp10f(float a) { return powf(10.f, a); }
PL_EMU float pl_logf(float a) { return logf(a); }
PL_EMU float pl_log2f(float a) { return log2f(a); }
PL_EMU float pl_log10f(float a) { return log10f(a); }
PL_EMU float pl_powf(float a, float b) { return powf(a, b); }
PL_EMU float pl_sinf(float a) { return sinf(a); }
PL_EMU float pl_cosf(float a) { return cosf(a); }
PL_EMU float pl_tanf(float a) { return tanf(a); }
PL_EMU float pl_tanhf(float a) { return tanhf(a); }
PL_EMU void pl_sincosf(float a, float *s, float *c) {
  *s = sinf(a);
  *c = cosf(a);
}
PL_EMU float __saturatef(float a) { return a >= 0 ? a > 1 ? 1.f : a : 0.f; }
PL_EMU float rsqrtf(float a) { return 1.f / sqrtf(a); }
PL_EMU double rsqrt(double a) { return 1. / sqrt(a); }
PL_EMU float rcbrtf(float a) { return 1.f / cbrtf(a); }
PL_EMU float normcdff(float a) { return .5f * erfcf(-a * .70710678f); }
PL_EMU float sinpif(float a) { return sinf(a * CUDART_PI_F); }
PL_EMU float cospif(float a) { return cosf(a * CUDART_PI_F); }
PL_EMU float norm3df(float a, float b, float c) {
  return sqrtf(a * a + b * b + c * c);
}

#include "pl_words.h"

/* Addresses. */

PL_EMU size_t __cvta_generic_to_shared(const void *p) {
  return pl_rt_shared_address(p);
}
PL_EMU void *__cvta_shared_to_generic(size_t p) {
  return pl_rt_shared_pointer((unsigned)p);
}
PL_EMU size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
PL_EMU void *__cvta_global_to_generic(size_t p) { return (void *)p; }
PL_EMU unsigned __isShared(const void *p) { return pl_rt_space(p) == 1; }
PL_EMU unsigned __isGlobal(const void *p) { return pl_rt_space(p) == 2; }

/* Asynchronous copies. */

PL_EMU void __pipeline_memcpy_async(void *dst, const void *src, size_t n,
                                    size_t zfill = 0) {
  pl_rt_copy(dst, src, n, zfill);
}
PL_EMU void __pipeline_commit() { pl_rt_copy_commit(); }
PL_EMU void __pipeline_arrive_on(unsigned long long *at) { pl_rt_counter_bind(at); }
PL_EMU void __pipeline_wait_prior(size_t prior) {
  pl_rt_copy_wait((unsigned)prior);
}
#define PL_PIPELINE_ALIASES                                                    \
  PL_EMU void pipeline_memcpy_async(void *d, const void *s, size_t n,          \
                                    size_t z = 0) {                            \
    pl_rt_copy(d, s, n, z);                                                    \
  }                                                                            \
  PL_EMU void pipeline_commit() { pl_rt_copy_commit(); }                       \
  PL_EMU void pipeline_wait_prior(size_t n) { pl_rt_copy_wait((unsigned)n); }
namespace nvcuda {
namespace experimental {
PL_PIPELINE_ALIASES
}
}

#include "pl_host.h"

#endif
