// Int8 GEMM in TN layout on mma.sync.m16n8k32; fragments are read from padded tiles as 32-bit words.
#include <cuda_runtime.h>
#include <cstdint>

namespace {

constexpr int kM = 32, kN = 32, kK = 64;
constexpr int kPitch = kK + 16;            // bytes a row, keeps the reads free of conflicts
constexpr int kBlock = 64;                 // two warps of 16 x 32 outputs

__device__ __forceinline__ int word(const int8_t* p) { return *reinterpret_cast<const int*>(p); }

__device__ __forceinline__ void mma_s8(int* d, const int* a, const int* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace

// pipelinify: launch igemm_tn
//   sizes    m=32 n=32 k=0,64,128,192,256,320
//   sizes    m=64 n=32 k=448
//   target   m=4096 n=4096 k=4096
//   grid     n / 32, m / 32
//   block    64
//   a:       in  [m * k]
//   bt:      in  [n * k]
//   c:       out [m * n]
//   n:       n
//   k:       k
//   work     flops 2 * m * n * k
__global__ void __launch_bounds__(kBlock)
igemm_tn(const int8_t* __restrict__ a, const int8_t* __restrict__ bt, int* __restrict__ c, int n, int k) {
  __shared__ __align__(16) int8_t sa[kM][kPitch];
  __shared__ __align__(16) int8_t sb[kN][kPitch];

  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int g = lane / 4, q = (lane % 4) * 4;
  const int row0 = blockIdx.y * kM, col0 = blockIdx.x * kN;

  int acc[4][4] = {};

  // pipelinify: ldg-single, 1 stage, source 7c972e09
  int k0 = 0;
  if (k0 < k) {
    auto compute_tile = [&]() {
      for (int kk = 0; kk < kK; kk += 32) {
        int fa[4] = {word(&sa[warp * 16 + g][kk + q]), word(&sa[warp * 16 + g + 8][kk + q]),
                     word(&sa[warp * 16 + g][kk + q + 16]), word(&sa[warp * 16 + g + 8][kk + q + 16])};
        for (int j = 0; j < 4; ++j) {
          int fb[2] = {word(&sb[j * 8 + g][kk + q]), word(&sb[j * 8 + g][kk + q + 16])};
          mma_s8(acc[j], fa, fb);
        }
      }
    };
    for (int v = tid; v < kM * kK / 16; v += kBlock) {
      const int r = v / (kK / 16), b = v % (kK / 16) * 16;
      *reinterpret_cast<int4*>(&sa[r][b]) =
          *reinterpret_cast<const int4*>(&a[static_cast<size_t>(row0 + r) * k + k0 + b]);
      *reinterpret_cast<int4*>(&sb[r][b]) =
          *reinterpret_cast<const int4*>(&bt[static_cast<size_t>(col0 + r) * k + k0 + b]);
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += kK; k0 < k; k0 += kK) {
      int4 sa_next[(kM * kK / 16) / kBlock];
      int4 sb_next[(kM * kK / 16) / kBlock];
      #pragma unroll
      for (int slot = 0; slot < (kM * kK / 16) / kBlock; ++slot) {
        int v = tid + slot * kBlock;
        const int r = v / (kK / 16), b = v % (kK / 16) * 16;
        sa_next[slot] = *reinterpret_cast<const int4*>(&a[static_cast<size_t>(row0 + r) * k + k0 + b]);
        sb_next[slot] = *reinterpret_cast<const int4*>(&bt[static_cast<size_t>(col0 + r) * k + k0 + b]);
      }
      compute_tile();
      __syncthreads();
      #pragma unroll
      for (int slot = 0; slot < (kM * kK / 16) / kBlock; ++slot) {
        int v = tid + slot * kBlock;
        const int r = v / (kK / 16), b = v % (kK / 16) * 16;
        *reinterpret_cast<int4*>(&sa[r][b]) = sa_next[slot];
        *reinterpret_cast<int4*>(&sb[r][b]) = sb_next[slot];
      }
      __syncthreads();
    }
    compute_tile();
  }

  for (int j = 0; j < 4; ++j) {
    const int row = row0 + warp * 16 + g, col = col0 + j * 8 + (lane % 4) * 2;
    c[row * n + col] = acc[j][0];
    c[row * n + col + 1] = acc[j][1];
    c[(row + 8) * n + col] = acc[j][2];
    c[(row + 8) * n + col + 1] = acc[j][3];
  }
}
