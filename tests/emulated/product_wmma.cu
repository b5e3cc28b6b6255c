// product.cu with nvcuda::wmma.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <stdint.h>

using namespace nvcuda;

template <class Fragment, class T, int KK, class S, class C>
__device__ void product(const S *a, const S *b, C *c, int K) {
  wmma::fragment<wmma::matrix_a, 16, 16, KK, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, KK, T, wmma::row_major> fb;
  Fragment fc, twice;
  wmma::fill_fragment(fc, 0);
  for (int k = 0; k < K; k += KK) {
    wmma::load_matrix_sync(fa, a + k, K);
    wmma::load_matrix_sync(fb, b + k * 16, 16);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++)
    twice.x[i] = fc.x[i] + fc.x[i];
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = twice.x[i] - fc.x[i];
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void by_half(const half *a, const half *b, float *c, int K) {
  product<wmma::fragment<wmma::accumulator, 16, 16, 16, float>, half, 16>(
      a, b, c, K);
}
__global__ void by_bfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                          float *c, int K) {
  product<wmma::fragment<wmma::accumulator, 16, 16, 16, float>, __nv_bfloat16,
          16>(a, b, c, K);
}
__global__ void by_tf32(const float *a, const float *b, float *c, int K) {
  product<wmma::fragment<wmma::accumulator, 16, 16, 8, float>,
          wmma::precision::tf32, 8>(a, b, c, K);
}
__global__ void by_int8(const int8_t *a, const int8_t *b, int *c, int K) {
  product<wmma::fragment<wmma::accumulator, 16, 16, 16, int>, signed char, 16>(
      a, b, c, K);
}
