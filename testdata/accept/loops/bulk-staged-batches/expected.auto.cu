// Batches that are staged an element a thread: one row for each block; in the second kernel an edge may cut it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

// pipelinify: launch smooth_batches
//   sizes    blocks=3 batches=0,1,2,3,4,5,6,9
//   sizes    blocks=1 batches=7
//   target   blocks=264 batches=4096
//   requires blocks > 0
//   grid     blocks
//   block    256
//   out:     out [batches * blocks * 256]
//   in:      in  [batches * blocks * 256]
//   batches: batches
__global__ void __launch_bounds__(256)
smooth_batches(float *__restrict__ out, const float *__restrict__ in, int batches) {
  constexpr int stages = 3;
  __shared__ __align__(16) float tile_stage[stages][256];
  // pipelinify: bulk, 3 stages, source 4d89ff10
  // Whether a tile's rows can be copied whole: all is aligned.
  const bool whole = (size_t)in % 16 == 0 && blockDim.x % 4 == 0;
  // One for each stage: its copies have landed, and all threads are there.
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
  #pragma nv_diagnostic pop
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (int stage = 0; stage < stages; ++stage)
      init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  int batch_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (batch_load < batches) {
      int at = (batch_load * gridDim.x + blockIdx.x) * blockDim.x;
      if (whole) {
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
          cuda::device::experimental::fence_proxy_async_shared_cta();
          cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(float));
          cuda::device::memcpy_async_tx(&tile_stage[load_stage][threadIdx.x], &in[at + threadIdx.x],
                                        cuda::aligned_size_t<16>(blockDim.x * sizeof(float)), landed[load_stage]);
        }
      } else {
        __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &in[at + threadIdx.x], sizeof(float));
      }
      __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
      ++batch_load;
    }
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int batch = 0; batch < batches; ++batch) {
    landed[stage].arrive_and_wait();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    int at = (batch * gridDim.x + blockIdx.x) * blockDim.x;
    float left = tile_stage[stage][threadIdx.x == 0 ? 255 : threadIdx.x - 1];
    float right = tile_stage[stage][threadIdx.x == 255 ? 0 : threadIdx.x + 1];
    out[at + threadIdx.x] = 0.25f * left + 0.5f * tile_stage[stage][threadIdx.x] + 0.25f * right;
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
}

// pipelinify: launch signal_energy
//   sizes    n=0,1,127,128,129,255,256,300,384,500,512,640,1000
//   target   n=1048576
//   grid     2
//   block    128
//   signal:  in  [n]
//   n:       n
//   energy:  out [256]
__global__ void __launch_bounds__(128) signal_energy(const float *__restrict__ signal, int n,
                                                     float *__restrict__ energy) {
  constexpr int stages = 3;
  __shared__ __align__(16) float chunk_stage[stages][128];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  // pipelinify: bulk, 3 stages, source c7205a9e
  // Whether a tile's rows can be copied whole: all is aligned.
  const bool whole = (size_t)signal % 16 == 0 && blockDim.x % 4 == 0;
  // One for each stage: its copies have landed, and all threads are there.
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
  #pragma nv_diagnostic pop
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (int stage = 0; stage < stages; ++stage)
      init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  int first_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (first_load < n) {
      const bool full = whole && first_load + tid + 1 * (int)(blockDim.x - 1 - threadIdx.x) < n;
      if (full) {
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
          cuda::device::experimental::fence_proxy_async_shared_cta();
          cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(float));
          cuda::device::memcpy_async_tx(&chunk_stage[load_stage][tid], &signal[first_load + tid],
                                        cuda::aligned_size_t<16>(blockDim.x * sizeof(float)), landed[load_stage]);
        }
      } else {
        if (first_load + tid < n) {
          __pipeline_memcpy_async(&chunk_stage[load_stage][tid], &signal[first_load + tid], sizeof(float));
        } else {
          chunk_stage[load_stage][tid] = 0.0f;
        }
      }
      __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
      first_load += 128;
    }
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int first = 0; first < n; first += 128) {
    landed[stage].arrive_and_wait();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int i = 0; i < 128; ++i)
      sum += chunk_stage[stage][i] * chunk_stage[stage][(i + tid) % 128];
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  energy[blockIdx.x * 128 + tid] = sum;
}
