// An edge in unsigned numbers, and two rows of threads that copy the same: thread 0 copies for both.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

// pipelinify: launch correlate
//   sizes    n=0,1,127,128,129,255,256,300,384,512
//   target   n=65536
//   grid     2
//   block    128, 2
//   a:       in  [n]
//   out:     out [512]
//   n:       n
__global__ void __launch_bounds__(256)
correlate(const float *__restrict__ a, float *__restrict__ out, unsigned n) {
  constexpr int stages = 3;
  __shared__ __align__(16) float tile_stage[stages][128];
  float sum = 0.0f;
  // pipelinify: bulk, 3 stages, source fb50a8ec
  // Whether a tile's rows can be copied whole: all is aligned.
  const bool whole = (size_t)a % 16 == 0 && blockDim.x % 4 == 0;
  // One for each stage: its copies have landed, and all threads are there.
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
  #pragma nv_diagnostic pop
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (int stage = 0; stage < stages; ++stage)
      init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  unsigned k_load = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (k_load < n) {
      const bool full = whole && k_load + threadIdx.x - threadIdx.x < n &&
                        n - (k_load + threadIdx.x - threadIdx.x) > blockDim.x - 1;
      if (full) {
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
          cuda::device::experimental::fence_proxy_async_shared_cta();
          cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(float));
          cuda::device::memcpy_async_tx(&tile_stage[load_stage][threadIdx.x], &a[k_load + threadIdx.x],
                                        cuda::aligned_size_t<16>(blockDim.x * sizeof(float)), landed[load_stage]);
        }
      } else {
        if (k_load + threadIdx.x < n) {
          __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &a[k_load + threadIdx.x], sizeof(float));
        } else {
          tile_stage[load_stage][threadIdx.x] = 0.0f;
        }
      }
      __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
      k_load += 128;
    }
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  int stage = 0;
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (unsigned k = 0; k < n; k += 128) {
    landed[stage].arrive_and_wait();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int i = 0; i < 128; ++i)
      sum += tile_stage[stage][i] * tile_stage[stage][(i + threadIdx.x + threadIdx.y) % 128];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  out[(blockIdx.x * 2 + threadIdx.y) * 128 + threadIdx.x] = sum;
}
