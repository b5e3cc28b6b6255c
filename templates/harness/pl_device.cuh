/* pl_device.cuh - the runner's own kernels: random data, poison, comparison,
 * and one that keeps the GPU busy. */
#ifndef PL_DEVICE_CUH
#define PL_DEVICE_CUH

#include "pl_abi.h"

typedef unsigned long long u64;
typedef unsigned u32;
typedef unsigned short u16;

/* The n-th number of the sequence that `seed` names (splitmix64). */
static __host__ __device__ u64 random_bits(u64 seed, u64 n) {
  u64 z = seed + (n + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static __host__ __device__ u32 float_bits(float f) {
  union {
    float f;
    u32 u;
  } both;
  both.f = f;
  return both.u;
}

/* Rounds to nearest even; tiny numbers become subnormal. */
static __host__ __device__ u16 half_of(float f) {
  u32 bits = float_bits(f), sign = bits >> 16 & 0x8000, m = bits & 0x7fffffff;
  if (m >= 0x477ff000)
    return (u16)(sign | 0x7c00);
  if (m < 0x38800000) {
    float scaled = (f < 0 ? -f : f) * 16777216.f;
    return (u16)(sign | (u32)(scaled + .5f));
  }
  return (u16)(sign | (((m + 0xfff + (m >> 13 & 1)) >> 13) - (112u << 10)));
}

static __host__ __device__ u16 bfloat16_of(float f) {
  u32 bits = float_bits(f);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static __host__ __device__ void put_bytes(char *p, const void *from,
                                          unsigned n) {
  for (unsigned i = 0; i < n; i++)
    p[i] = ((const char *)from)[i];
}

/* Writes one number as `size` bytes of a kind. */
static __host__ __device__ void put_number(char *p, int kind, unsigned size,
                                           double real, long long whole) {
  float f = (float)real;
  u16 half = kind == PL_KIND_HALF ? half_of(f) : bfloat16_of(f);
  bool truth = whole != 0;
  if (kind == PL_KIND_FLOAT && size == 8)
    put_bytes(p, &real, 8);
  else if (kind == PL_KIND_FLOAT)
    put_bytes(p, &f, 4);
  else if (kind == PL_KIND_HALF || kind == PL_KIND_BFLOAT16)
    put_bytes(p, &half, 2);
  else if (kind == PL_KIND_BOOL)
    put_bytes(p, &truth, 1);
  else
    put_bytes(p, &whole, size > 8 ? 8 : size);
}

struct Fill {
  char how; /* r random, g range, b below, c constant */
  int kind;
  unsigned size; /* of a number */
  long long below;
  double low, high;
};

static __device__ void fill_number(char *p, const Fill &f, u64 bits) {
  double unit = (double)(bits >> 11) * 0x1p-53;
  double real = unit * 2 - 1;
  int sixteenth = (int)(bits >> 60);
  long long whole = f.kind == PL_KIND_BOOL       ? sixteenth & 1
                    : f.kind == PL_KIND_UNSIGNED ? sixteenth
                                                 : sixteenth - 8;
  if (f.how == 'g') {
    real = f.low + unit * (f.high - f.low);
    whole = (long long)floor(real);
  } else if (f.how == 'b') {
    whole = f.below > 0 ? (long long)(bits % (u64)f.below) : 0;
    real = (double)whole;
  } else if (f.how == 'c') {
    real = f.low;
    whole = (long long)real;
  }
  put_number(p, f.kind, f.size, real, whole);
}

static __device__ size_t first_index() {
  return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ size_t index_step() {
  return (size_t)gridDim.x * blockDim.x;
}

__global__ void fill_numbers(char *p, size_t n, Fill f, u64 seed) {
  for (size_t i = first_index(); i < n; i += index_step())
    fill_number(p + i * f.size, f, random_bits(seed, i));
}

static __device__ char poison_byte(u64 seed, size_t i) {
  return (char)(random_bits(seed, i >> 3) >> (8 * (i & 7)));
}

__global__ void poison_bytes(char *p, size_t n, u64 seed) {
  for (size_t i = first_index(); i < n; i += index_step())
    p[i] = poison_byte(seed, i);
}

/* How many things differ, and the first of them. */
struct Difference {
  u64 count, first;
};

static __device__ void note_difference(Difference *d, size_t i) {
  atomicAdd(&d->count, 1ull);
  atomicMin(&d->first, (u64)i);
}

__global__ void check_poison(const char *p, size_t n, u64 seed,
                             Difference *d) {
  for (size_t i = first_index(); i < n; i += index_step())
    if (p[i] != poison_byte(seed, i))
      note_difference(d, i);
}

/* Elements of `size` words each. */
template <class Word>
__global__ void compare_elements(const Word *a, const Word *b, size_t n,
                                 unsigned size, Difference *d) {
  for (size_t i = first_index(); i < n; i += index_step()) {
    bool same = true;
    for (unsigned k = 0; k < size; k++)
      same &= a[i * size + k] == b[i * size + k];
    if (!same)
      note_difference(d, i);
  }
}

/* Reads and writes memory until the clock says that it is enough. */
__global__ void keep_busy(u32 *memory, size_t n, long long cycles) {
  long long begin = clock64();
  size_t i = first_index();
  u32 sum = (u32)i;
  while (clock64() - begin < cycles) {
    sum = sum * 1664525u + memory[i % n];
    memory[(i * 33) % n] = sum;
    i += index_step();
  }
}

#endif
