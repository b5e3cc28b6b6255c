// Plain product of small integers: what matrix instructions have to give.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <stdint.h>

// pipelinify: launch by_half
//   sizes K=0,16,48
//   grid 1
//   block 32
//   a: in [16 * K] below(9)
//   b: in [K * 16] below(7)
//   c: out [256]
//   K: K
// pipelinify: launch by_bfloat
//   sizes K=0,16,48
//   grid 1
//   block 32
//   a: in [16 * K] below(9)
//   b: in [K * 16] below(7)
//   c: out [256]
//   K: K
// pipelinify: launch by_tf32
//   sizes K=0,16,48
//   grid 1
//   block 32
//   a: in [16 * K] below(9)
//   b: in [K * 16] below(7)
//   c: out [256]
//   K: K
// pipelinify: launch by_int8
//   sizes K=0,32,96
//   grid 1
//   block 32
//   a: in [16 * K]
//   b: in [K * 16]
//   c: out [256]
//   K: K
template <class T, class C>
__device__ void product(const T *a, const T *b, C *c, int K) {
  for (int e = threadIdx.x; e < 256; e += 32) {
    C sum = 0;
    for (int k = 0; k < K; k++)
      sum += (C)a[e / 16 * K + k] * (C)b[k * 16 + e % 16];
    c[e] = sum;
  }
}
__global__ void by_half(const half *a, const half *b, float *c, int K) {
  product(a, b, c, K);
}
__global__ void by_bfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                          float *c, int K) {
  product(a, b, c, K);
}
__global__ void by_tf32(const float *a, const float *b, float *c, int K) {
  product(a, b, c, K);
}
__global__ void by_int8(const int8_t *a, const int8_t *b, int *c, int K) {
  product(a, b, c, K);
}
