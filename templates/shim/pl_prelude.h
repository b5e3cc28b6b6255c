/* What nvcc predeclares: attributes, built-in variables, vector types, device
 * functions and enough of the runtime for host code. Declarations only: this
 * is read by the parser and never compiled. */
#ifndef PL_PRELUDE_H
#define PL_PRELUDE_H
#pragma GCC system_header

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __forceinline __forceinline__ /* cl.exe's word, in the text of its builds */
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __block_size__(...)
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __nv_pure__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define PL_D __attribute__((device))
#define PL_HD __attribute__((host)) __attribute__((device))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
typedef long clock_t;
#define NULL __null

/* ---- vector types -------------------------------------------------------- */

#define PL_VEC(T, N, A1, A2, A4)                                               \
  struct __attribute__((aligned(A1))) N##1 { T x; };                           \
  struct __attribute__((aligned(A2))) N##2 { T x, y; };                        \
  struct __attribute__((aligned(A1))) N##3 { T x, y, z; };                     \
  struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                  \
  PL_HD N##1 make_##N##1(T x);                                                 \
  PL_HD N##2 make_##N##2(T x, T y);                                            \
  PL_HD N##3 make_##N##3(T x, T y, T z);                                       \
  PL_HD N##4 make_##N##4(T x, T y, T z, T w);
PL_VEC(signed char, char, 1, 2, 4)
PL_VEC(unsigned char, uchar, 1, 2, 4)
PL_VEC(short, short, 2, 4, 8)
PL_VEC(unsigned short, ushort, 2, 4, 8)
PL_VEC(int, int, 4, 8, 16)
PL_VEC(unsigned int, uint, 4, 8, 16)
PL_VEC(long, long, 8, 16, 16)
PL_VEC(unsigned long, ulong, 8, 16, 16)
PL_VEC(long long, longlong, 8, 16, 16)
PL_VEC(unsigned long long, ulonglong, 8, 16, 16)
PL_VEC(float, float, 4, 8, 16)
PL_VEC(double, double, 8, 16, 16)
#undef PL_VEC

struct dim3 {
  unsigned int x, y, z;
  PL_HD constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                       unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  PL_HD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  PL_HD operator uint3() const;
};

extern const PL_D uint3 threadIdx;
extern const PL_D uint3 blockIdx;
extern const PL_D dim3 blockDim;
extern const PL_D dim3 gridDim;
extern const PL_D int warpSize;

/* ---- C library ----------------------------------------------------------- */

extern "C" {
PL_HD int printf(const char *, ...);
PL_HD void *malloc(size_t);
PL_HD void free(void *);
PL_HD void *memcpy(void *, const void *, size_t);
PL_HD void *memset(void *, int, size_t);
PL_HD void *memmove(void *, const void *, size_t);
PL_HD int memcmp(const void *, const void *, size_t);
PL_HD clock_t clock();
PL_D void __assert_fail(const char *, const char *, unsigned, const char *);
PL_D void __assertfail(const char *, const char *, unsigned, const char *,
                       size_t);
/* nvcc knows it without an include. */
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
#define assert(x)                                                              \
  ((x) ? (void)0 : __assert_fail(#x, __FILE__, __LINE__, __func__))
#endif
PL_D void __trap();
PL_D void __nanosleep(unsigned);
PL_D void __brkpt();
}
PL_D long long clock64();

/* ---- barriers, votes, shuffles ------------------------------------------- */

extern "C" {
PL_D void __syncthreads();
PL_D int __syncthreads_count(int);
PL_D int __syncthreads_and(int);
PL_D int __syncthreads_or(int);
PL_D void __syncwarp(unsigned mask = 0xffffffffu);
PL_D void __threadfence();
PL_D void __threadfence_block();
PL_D void __threadfence_system();
PL_D unsigned __activemask();
PL_D int __all_sync(unsigned, int);
PL_D int __any_sync(unsigned, int);
PL_D unsigned __ballot_sync(unsigned, int);
PL_D unsigned __fns(unsigned, unsigned, int);
PL_D void __cluster_barrier_arrive();
PL_D void __cluster_barrier_wait();
PL_D void __cluster_barrier_arrive_relaxed();
PL_D void *__cluster_map_shared_rank(const void *, unsigned);
PL_D unsigned __cluster_query_shared_rank(const void *);
PL_D void cudaGridDependencySynchronize();
PL_D void cudaTriggerProgrammaticLaunchCompletion();
}
template <class T> PL_D T __shfl_sync(unsigned, T, int, int = 32);
template <class T> PL_D T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> PL_D T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> PL_D T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T> PL_D T __shfl(T, int, int = 32);
template <class T> PL_D T __shfl_up(T, unsigned, int = 32);
template <class T> PL_D T __shfl_down(T, unsigned, int = 32);
template <class T> PL_D T __shfl_xor(T, int, int = 32);
template <class T> PL_D unsigned __match_any_sync(unsigned, T);
template <class T> PL_D unsigned __match_all_sync(unsigned, T, int *);
template <class T> PL_D T __reduce_add_sync(unsigned, T);
template <class T> PL_D T __reduce_min_sync(unsigned, T);
template <class T> PL_D T __reduce_max_sync(unsigned, T);
template <class T> PL_D T __reduce_and_sync(unsigned, T);
template <class T> PL_D T __reduce_or_sync(unsigned, T);
template <class T> PL_D T __reduce_xor_sync(unsigned, T);

/* ---- memory -------------------------------------------------------------- */

template <class T> PL_D T __ldg(const T *);
template <class T> PL_D T __ldca(const T *);
template <class T> PL_D T __ldcg(const T *);
template <class T> PL_D T __ldcs(const T *);
template <class T> PL_D T __ldlu(const T *);
template <class T> PL_D T __ldcv(const T *);
template <class T> PL_D void __stcg(T *, T);
template <class T> PL_D void __stcs(T *, T);
template <class T> PL_D void __stwb(T *, T);
template <class T> PL_D void __stwt(T *, T);
PL_D size_t __cvta_generic_to_shared(const void *);
PL_D size_t __cvta_generic_to_global(const void *);
PL_D void *__cvta_shared_to_generic(size_t);
PL_D unsigned __isShared(const void *);
PL_D unsigned __isGlobal(const void *);
extern "C" PL_D unsigned __nvvm_get_smem_pointer(void *);

#define PL_ATOMIC(NAME, T)                                                     \
  PL_D T NAME(T *, T);                                                         \
  PL_D T NAME##_block(T *, T);                                                 \
  PL_D T NAME##_system(T *, T);
#define PL_ATOMIC_INTS(NAME)                                                   \
  PL_ATOMIC(NAME, int)                                                         \
  PL_ATOMIC(NAME, unsigned int)                                                \
  PL_ATOMIC(NAME, unsigned long long)
PL_ATOMIC_INTS(atomicAdd)
PL_ATOMIC(atomicAdd, float)
PL_ATOMIC(atomicAdd, double)
PL_D float2 atomicAdd(float2 *, float2);
PL_D float4 atomicAdd(float4 *, float4);
PL_ATOMIC_INTS(atomicSub)
PL_ATOMIC_INTS(atomicExch)
PL_ATOMIC(atomicExch, float)
PL_ATOMIC_INTS(atomicMin)
PL_ATOMIC(atomicMin, long long)
PL_ATOMIC_INTS(atomicMax)
PL_ATOMIC(atomicMax, long long)
PL_ATOMIC(atomicInc, unsigned int)
PL_ATOMIC(atomicDec, unsigned int)
PL_ATOMIC_INTS(atomicAnd)
PL_ATOMIC_INTS(atomicOr)
PL_ATOMIC_INTS(atomicXor)
PL_D int atomicCAS(int *, int, int);
PL_D unsigned int atomicCAS(unsigned int *, unsigned int, unsigned int);
PL_D unsigned short atomicCAS(unsigned short *, unsigned short, unsigned short);
PL_D unsigned long long atomicCAS(unsigned long long *, unsigned long long,
                                  unsigned long long);
#undef PL_ATOMIC
#undef PL_ATOMIC_INTS

/* ---- bits ---------------------------------------------------------------- */

PL_HD int __float_as_int(float);
PL_HD unsigned __float_as_uint(float);
PL_HD float __int_as_float(int);
PL_HD float __uint_as_float(unsigned);
PL_HD long long __double_as_longlong(double);
PL_HD double __longlong_as_double(long long);
PL_HD int __double2hiint(double);
PL_HD int __double2loint(double);
PL_HD double __hiloint2double(int, int);
PL_HD int __clz(int);
PL_HD int __clzll(long long);
PL_HD int __ffs(int);
PL_HD int __ffsll(long long);
PL_HD int __popc(unsigned);
PL_HD int __popcll(unsigned long long);
PL_HD unsigned __brev(unsigned);
PL_HD unsigned long long __brevll(unsigned long long);
PL_HD unsigned __byte_perm(unsigned, unsigned, unsigned);
PL_HD unsigned __funnelshift_l(unsigned, unsigned, unsigned);
PL_HD unsigned __funnelshift_r(unsigned, unsigned, unsigned);
PL_HD int __mul24(int, int);
PL_HD unsigned __umul24(unsigned, unsigned);
PL_HD int __mulhi(int, int);
PL_HD unsigned __umulhi(unsigned, unsigned);
PL_HD long long __mul64hi(long long, long long);
PL_HD unsigned long long __umul64hi(unsigned long long, unsigned long long);
PL_HD unsigned __sad(int, int, unsigned);
PL_HD unsigned __usad(unsigned, unsigned, unsigned);
PL_HD int __dp4a(int, int, int);
PL_HD unsigned __dp4a(unsigned, unsigned, unsigned);
PL_HD int __dp4a(char4, char4, int);
PL_HD unsigned __dp4a(uchar4, uchar4, unsigned);
PL_HD int __dp2a_lo(int, int, int);
PL_HD int __dp2a_hi(int, int, int);

/* ---- arithmetic ---------------------------------------------------------- */

template <class T> struct pl_real { typedef double type; };
template <> struct pl_real<float> { typedef float type; };
template <class A, class B> struct pl_wider { typedef double type; };
template <> struct pl_wider<float, float> { typedef float type; };

#define PL_MATH1(NAME)                                                         \
  PL_HD float NAME##f(float);                                                  \
  template <class T> PL_HD typename pl_real<T>::type NAME(T);
#define PL_MATH2(NAME)                                                         \
  PL_HD float NAME##f(float, float);                                           \
  template <class A, class B> PL_HD typename pl_wider<A, B>::type NAME(A, B);
PL_MATH1(sqrt) PL_MATH1(rsqrt) PL_MATH1(cbrt) PL_MATH1(rcbrt) PL_MATH1(exp)
PL_MATH1(exp2) PL_MATH1(exp10) PL_MATH1(expm1) PL_MATH1(log) PL_MATH1(log2)
PL_MATH1(log10) PL_MATH1(log1p) PL_MATH1(sin) PL_MATH1(cos) PL_MATH1(tan)
PL_MATH1(sinpi) PL_MATH1(cospi) PL_MATH1(asin) PL_MATH1(acos) PL_MATH1(atan)
PL_MATH1(sinh) PL_MATH1(cosh) PL_MATH1(tanh) PL_MATH1(asinh) PL_MATH1(acosh)
PL_MATH1(atanh) PL_MATH1(erf) PL_MATH1(erfc) PL_MATH1(erfinv) PL_MATH1(erfcx)
PL_MATH1(normcdf) PL_MATH1(normcdfinv) PL_MATH1(tgamma) PL_MATH1(lgamma)
PL_MATH1(floor) PL_MATH1(ceil) PL_MATH1(trunc) PL_MATH1(round) PL_MATH1(rint)
PL_MATH1(nearbyint) PL_MATH1(fabs) PL_MATH1(logb) PL_MATH1(j0) PL_MATH1(j1)
PL_MATH2(pow) PL_MATH2(fmod) PL_MATH2(remainder) PL_MATH2(atan2)
PL_MATH2(hypot) PL_MATH2(rhypot) PL_MATH2(fmin) PL_MATH2(fmax) PL_MATH2(fdim)
PL_MATH2(copysign) PL_MATH2(nextafter) PL_MATH2(fdivide)
#undef PL_MATH1
#undef PL_MATH2
PL_HD float fmaf(float, float, float);
PL_HD float fma(float, float, float);
PL_HD double fma(double, double, double);
PL_HD float ldexpf(float, int);
PL_HD double ldexp(double, int);
PL_HD float frexpf(float, int *);
PL_HD double frexp(double, int *);
PL_HD float modff(float, float *);
PL_HD double modf(double, double *);
PL_HD void sincosf(float, float *, float *);
PL_HD void sincos(double, double *, double *);
PL_HD void sincospif(float, float *, float *);
PL_HD long lroundf(float);
PL_HD long lround(double);
PL_HD long lrintf(float);
PL_HD long lrint(double);
PL_HD long long llrintf(float);
PL_HD float norm3df(float, float, float);
PL_HD float rnorm3df(float, float, float);
PL_HD float nanf(const char *);
PL_HD double nan(const char *);
PL_HD float saturate(float);
PL_HD float __saturatef(float);
PL_HD bool isnan(float);
PL_HD bool isnan(double);
PL_HD bool isinf(float);
PL_HD bool isinf(double);
PL_HD bool isfinite(float);
PL_HD bool isfinite(double);
PL_HD bool signbit(float);
PL_HD bool signbit(double);
PL_HD constexpr int abs(int a) { return a < 0 ? -a : a; }
PL_HD constexpr long abs(long a) { return a < 0 ? -a : a; }
PL_HD constexpr long long abs(long long a) { return a < 0 ? -a : a; }
PL_HD float abs(float);
PL_HD double abs(double);
PL_HD constexpr long labs(long a) { return a < 0 ? -a : a; }

#define PL_FAST1(NAME) PL_HD float NAME(float);
PL_FAST1(__expf) PL_FAST1(__exp10f) PL_FAST1(__logf) PL_FAST1(__log2f)
PL_FAST1(__log10f) PL_FAST1(__sinf) PL_FAST1(__cosf) PL_FAST1(__tanf)
PL_FAST1(__frsqrt_rn) PL_FAST1(__tanhf)
#undef PL_FAST1
PL_HD float __powf(float, float);
PL_HD float __fdividef(float, float);
PL_HD void __sincosf(float, float *, float *);
#define PL_ROUNDED(MODE)                                                       \
  PL_HD float __fadd_##MODE(float, float);                                     \
  PL_HD float __fsub_##MODE(float, float);                                     \
  PL_HD float __fmul_##MODE(float, float);                                     \
  PL_HD float __fdiv_##MODE(float, float);                                     \
  PL_HD float __frcp_##MODE(float);                                            \
  PL_HD float __fsqrt_##MODE(float);                                           \
  PL_HD float __fmaf_##MODE(float, float, float);                              \
  PL_HD double __dadd_##MODE(double, double);                                  \
  PL_HD double __dsub_##MODE(double, double);                                  \
  PL_HD double __dmul_##MODE(double, double);                                  \
  PL_HD double __ddiv_##MODE(double, double);                                  \
  PL_HD double __drcp_##MODE(double);                                          \
  PL_HD double __dsqrt_##MODE(double);                                         \
  PL_HD double __fma_##MODE(double, double, double);
PL_ROUNDED(rn) PL_ROUNDED(rz) PL_ROUNDED(ru) PL_ROUNDED(rd)
#undef PL_ROUNDED

#define PL_MINMAX(T, A, B)                                                     \
  PL_HD constexpr T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }        \
  PL_HD constexpr T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
PL_MINMAX(int, int, int)
PL_MINMAX(unsigned, unsigned, unsigned)
PL_MINMAX(unsigned, int, unsigned)
PL_MINMAX(unsigned, unsigned, int)
PL_MINMAX(long, long, long)
PL_MINMAX(unsigned long, unsigned long, unsigned long)
PL_MINMAX(unsigned long, long, unsigned long)
PL_MINMAX(unsigned long, unsigned long, long)
PL_MINMAX(long long, long long, long long)
PL_MINMAX(unsigned long long, unsigned long long, unsigned long long)
PL_MINMAX(float, float, float)
PL_MINMAX(double, double, double)
PL_MINMAX(double, float, double)
PL_MINMAX(double, double, float)
#undef PL_MINMAX
PL_HD unsigned umin(unsigned, unsigned);
PL_HD unsigned umax(unsigned, unsigned);
PL_HD long long llmin(long long, long long);
PL_HD long long llmax(long long, long long);

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define INT8_C(X) X
#define INT16_C(X) X
#define INT32_C(X) X
#define INT64_C(X) X##L
#define UINT8_C(X) X
#define UINT16_C(X) X
#define UINT32_C(X) X##U
#define UINT64_C(X) X##UL

/* ---- runtime ------------------------------------------------------------- */

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNotReady = 600,
  cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrCooperativeLaunch = 95
};
enum { cudaSharedmemCarveoutMaxShared = 100, cudaMemAttachGlobal = 1 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
typedef struct CUgraph_st *cudaGraph_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor,
      sharedMemPerBlockOptin, totalConstMem;
  int major, minor, multiProcessorCount, maxThreadsPerBlock, warpSize,
      regsPerBlock, regsPerMultiprocessor, maxThreadsPerMultiProcessor,
      clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, maxGridSize[3],
      maxThreadsDim[3];
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, localSizeBytes, constSizeBytes;
  int maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes;
};
/* Device code has these of the runtime, too [Programming Guide, Dynamic Parallelism]. */
#define PL_RUNTIME __host__ __device__
extern "C" {
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0,
                                     cudaStream_t = 0);
/* What clang 22 makes of a kernel that launches another. */
PL_RUNTIME void *cudaGetParameterBuffer(size_t, size_t);
PL_RUNTIME cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned,
                                        cudaStream_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
PL_RUNTIME cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemset(void *, int, size_t);
PL_RUNTIME cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
PL_RUNTIME cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                            cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
PL_RUNTIME cudaError_t cudaGetLastError();
PL_RUNTIME cudaError_t cudaPeekAtLastError();
PL_RUNTIME const char *cudaGetErrorString(cudaError_t);
PL_RUNTIME const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaSetDevice(int);
PL_RUNTIME cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
PL_RUNTIME cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaStreamCreate(cudaStream_t *);
PL_RUNTIME cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
PL_RUNTIME cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaEventCreate(cudaEvent_t *);
PL_RUNTIME cudaError_t cudaEventDestroy(cudaEvent_t);
PL_RUNTIME cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
}
template <class T> PL_RUNTIME cudaError_t cudaMalloc(T **, size_t);
#undef PL_RUNTIME
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned = 0);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int,
                                                          size_t);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0,
                                               int = 0);
/* Launches by a configuration. */
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference,
  cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent,
  cudaLaunchAttributePriority
};
enum cudaClusterSchedulingPolicy {
  cudaClusterSchedulingPolicyDefault, cudaClusterSchedulingPolicySpread,
  cudaClusterSchedulingPolicyLoadBalancing
};
struct pl_launch_cluster { unsigned x, y, z; };
struct pl_launch_event { cudaEvent_t event; int flags, triggerAtBlockStart; };
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  pl_launch_cluster clusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  pl_launch_event programmaticEvent;
  int priority;
};
struct cudaLaunchAttribute_st {
  cudaLaunchAttributeID id;
  char pad[4];
  cudaLaunchAttributeValue val;
};
typedef cudaLaunchAttribute_st cudaLaunchAttribute;
struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
typedef cudaLaunchConfig_st cudaLaunchConfig_t;
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
template <class... E, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(E...), A &&...);
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *, T *, const cudaLaunchConfig_t *);
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, T *, const cudaLaunchConfig_t *);
#include <pl_intrinsics.h>

#endif
