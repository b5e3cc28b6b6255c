// product.cu with inline PTX: ldmatrix, mma.sync and words read by hand.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <stdint.h>

#define SHARED(p) ((uint32_t)__cvta_generic_to_shared(p))
#define LDSM_X4_T(r, p)                                                        \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "               \
               "{%0, %1, %2, %3}, [%4];\n"                                     \
               : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])        \
               : "r"(SHARED(p)))

// B of 16 x 16 is two matrices of 8 columns; r[0], r[1] are the first one's.
template <class T>
__device__ void load16(const T *a, const T *b, int K, int k, uint32_t *ra,
                       uint32_t *rb) {
  __shared__ __align__(16) T as[16][24];
  __shared__ __align__(16) T bs[16][24];
  int lane = threadIdx.x;
  __syncthreads();
  for (int e = lane; e < 256; e += 32) {
    as[e / 16][e % 16] = a[e / 16 * K + k + e % 16];
    bs[e / 16][e % 16] = b[(k + e / 16) * 16 + e % 16];
  }
  __syncthreads();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(SHARED(&as[lane % 16][lane / 16 * 8])));
  LDSM_X4_T(rb, &bs[lane % 16][lane / 16 * 8]);
}

template <class C> __device__ void put(C *c, int column, const C *d) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int i = 0; i < 4; i++)
    c[(g + i / 2 * 8) * 16 + column + 2 * t + i % 2] = d[i];
}

__device__ void mma_half(float *d, const uint32_t *a, const uint32_t *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
#define MMA_BF16(d, a, b)                                                      \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "          \
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "                \
               "{%0, %1, %2, %3};\n"                                           \
               : "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3])        \
               : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]),           \
                 "r"((b)[0]), "r"((b)[1]))

__global__ void by_half(const half *a, const half *b, float *c, int K) {
  float d[2][4] = {};
  for (int k = 0; k < K; k += 16) {
    uint32_t ra[4], rb[4];
    load16(a, b, K, k, ra, rb);
    mma_half(d[0], ra, rb);
    mma_half(d[1], ra, rb + 2);
  }
  put(c, 0, d[0]);
  put(c, 8, d[1]);
}
__global__ void by_bfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                          float *c, int K) {
  float d[2][4] = {};
  for (int k = 0; k < K; k += 16) {
    uint32_t ra[4], rb[4];
    load16(a, b, K, k, ra, rb);
    MMA_BF16(d[0], ra, rb);
    MMA_BF16(d[1], ra, rb + 2);
  }
  put(c, 0, d[0]);
  put(c, 8, d[1]);
}

__global__ void by_tf32(const float *a, const float *b, float *c, int K) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int j = 0; j < 16; j += 8) {
    float d[4] = {};
    for (int k = 0; k < K; k += 8) {
      uint32_t ra[4], rb[2];
      for (int i = 0; i < 4; i++)
        asm("cvt.rna.tf32.f32 %0, %1;"
            : "=r"(ra[i])
            : "f"(a[(g + i % 2 * 8) * K + k + t + i / 2 * 4]));
      for (int i = 0; i < 2; i++)
        rb[i] = __float_as_uint(b[(k + t + i * 4) * 16 + j + g]);
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                   "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]),
                     "r"(rb[0]), "r"(rb[1]));
    }
    put(c, j, d);
  }
}

__global__ void by_int8(const int8_t *a, const int8_t *b, int *c, int K) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int j = 0; j < 16; j += 8) {
    int d[4] = {};
    for (int k = 0; k < K; k += 32) {
      int ra[4] = {}, rb[2] = {};
      for (int i = 0; i < 4; i++)
        for (int e = 0; e < 4; e++)
          ra[i] |= (a[(g + i % 2 * 8) * K + k + 4 * t + i / 2 * 16 + e] & 0xff)
                   << (8 * e);
      for (int i = 0; i < 2; i++)
        for (int e = 0; e < 4; e++)
          rb[i] |= (b[(k + 4 * t + i * 16 + e) * 16 + j + g] & 0xff) << (8 * e);
      asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                   "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};"
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                   : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]),
                     "r"(rb[0]), "r"(rb[1]));
    }
    put(c, j, d);
  }
}
