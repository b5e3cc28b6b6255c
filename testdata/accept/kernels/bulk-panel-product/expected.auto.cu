// Rows of B of 128 floats are whole where n allows it, rows of A of 16 floats are not.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

// pipelinify: launch panel_product
//   sizes    m=64 n=128 k=0,16,32,48,64,96,112,160
//   sizes    m=70 n=136 k=40
//   sizes    m=64 n=131 k=33
//   sizes    m=64 n=132 k=33
//   sizes    m=66 n=130 k=48
//   target   m=2048 n=2048 k=2048
//   requires m > 0 && n > 0
//   grid     (n + 127) / 128, (m + 63) / 64
//   block    256
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
__global__ void panel_product(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float as_stage[2][64][16];
  __shared__ __align__(16) float bs_stage[2][16][128];
  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 128;
  float acc[4][8] = {};
  // pipelinify: bulk, 2 stages, source ec103a96
  // Whether a tile's rows can be copied whole: all is aligned.
  const bool whole = blockDim.x == 256 && (size_t)b % 16 == 0 && n % 4 == 0;
  // Whether 4 neighbouring elements can be one copy: all is aligned.
  const bool joined = blockDim.x == 256 && (size_t)a % 16 == 0 && k % 4 == 0 &&
                      (size_t)b % 16 == 0 && n % 4 == 0;
  // One for each stage: its copies have landed, and all threads are there.
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
  #pragma nv_diagnostic pop
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (int stage = 0; stage < 2; ++stage)
      init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  int k0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k0_load < k) {
      if (joined) {
        for (int i = 4 * tid; i < 64 * 16; i += 4 * 256) {
          int r = i / 16, q = i % 16;
          if (row0 + r < m && k0_load + q < k) {
            __pipeline_memcpy_async(&as_stage[load_stage][r][q], &a[(row0 + r) * k + k0_load + q],
                                    16);
          } else {
            for (int each = 0; each < 4; ++each) {
              (&as_stage[load_stage][r][q])[each] = 0.0f;
            }
          }
        }
      } else {
        for (int i = tid; i < 64 * 16; i += 256) {
          int r = i / 16, q = i % 16;
          if (row0 + r < m && k0_load + q < k) {
            __pipeline_memcpy_async(&as_stage[load_stage][r][q], &a[(row0 + r) * k + k0_load + q],
                                    sizeof(float));
          } else {
            as_stage[load_stage][r][q] = 0.0f;
          }
        }
      }
      bool full = whole;
      if (full) {
        int i = (16 * 128) - 128;
        int r = i / 128, q = i % 128;
        full = full && k0_load + r < k && col0 + q + 127 < n;
      }
      if (full) {
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
          cuda::device::experimental::fence_proxy_async_shared_cta();
          for (int i = 0; i < 16 * 128; i += 128) {
            int r = i / 128, q = i % 128;
            cuda::device::barrier_expect_tx(landed[load_stage], 512);
            cuda::device::memcpy_async_tx(&bs_stage[load_stage][r][q],
                                          &b[(k0_load + r) * n + col0 + q],
                                          cuda::aligned_size_t<16>(512), landed[load_stage]);
          }
        }
      } else {
        if (joined) {
          for (int i = 4 * tid; i < 16 * 128; i += 4 * 256) {
            int r = i / 128, q = i % 128;
            if (k0_load + r < k && col0 + q < n) {
              __pipeline_memcpy_async(&bs_stage[load_stage][r][q], &b[(k0_load + r) * n + col0 + q],
                                      16);
            } else {
              for (int each = 0; each < 4; ++each) {
                (&bs_stage[load_stage][r][q])[each] = 0.0f;
              }
            }
          }
        } else {
          for (int i = tid; i < 16 * 128; i += 256) {
            int r = i / 128, q = i % 128;
            if (k0_load + r < k && col0 + q < n) {
              __pipeline_memcpy_async(&bs_stage[load_stage][r][q], &b[(k0_load + r) * n + col0 + q],
                                      sizeof(float));
            } else {
              bs_stage[load_stage][r][q] = 0.0f;
            }
          }
        }
      }
      __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
      k0_load += 16;
    }
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int k0 = 0; k0 < k; k0 += 16) {
    landed[stage].arrive_and_wait();
    copy_tile(stage ^ 1);
    for (int q = 0; q < 16; ++q)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += as_stage[stage][(tid / 16) * 4 + i][q] *
                       bs_stage[stage][q][(tid % 16) + 16 * j];
    stage ^= 1;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      int r = row0 + (tid / 16) * 4 + i, q = col0 + tid % 16 + 16 * j;
      if (r < m && q < n)
        c[r * n + q] = acc[i][j];
    }
}
