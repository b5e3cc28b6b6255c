// Multi-LoRA matrix-vector product: each request gathers the weight rows of its own adapter, tile by tile.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// pipelinify: launch lora_gemv<64, 2>
//   sizes  batch=1 adapters=1
//   target batch=64 adapters=8
//   grid   2, batch
//   block  128
//   Y:     inout [batch * 2] random
//   X:     in [batch * 64] random
//   W:     in [adapters * 2 * 64] random
//   lora_indices: in [batch] below(adapters)
//   batch_size: batch
//
// pipelinify: launch lora_gemv<128, 3>
//   sizes  batch=1,4 adapters=3
//   target batch=64 adapters=8
//   grid   3, batch
//   block  128
//   Y:     inout [batch * 3] random
//   X:     in [batch * 128] random
//   W:     in [adapters * 3 * 128] random
//   lora_indices: in [batch] below(adapters)
//   batch_size: batch
//
// pipelinify: launch lora_gemv<384, 4>
//   sizes  batch=1,3 adapters=1,4
//   target batch=64 adapters=8
//   grid   4, batch
//   block  128
//   Y:     inout [batch * 4] random
//   X:     in [batch * 384] random
//   W:     in [adapters * 4 * 384] random
//   lora_indices: in [batch] below(adapters)
//   batch_size: batch
//
// pipelinify: launch lora_gemv<2048, 8>
//   sizes  batch=2 adapters=3
//   target batch=256 adapters=32
//   grid   8, batch
//   block  128
//   Y:     inout [batch * 8] random
//   X:     in [batch * 2048] random
//   W:     in [adapters * 8 * 2048] random
//   lora_indices: in [batch] below(adapters)
//   batch_size: batch
//   work   flops 2 * batch * 8 * 2048
template<int feat_in, int feat_out>
__global__ void lora_gemv(
    float* Y, const float* X, const float* W,
    const int64_t* lora_indices, int batch_size) {

  constexpr int TILE = 128;
  __shared__ float W_shared_stage[2][TILE];
  __shared__ float X_shared_stage[2][TILE];
  __shared__ float warp_sums[TILE / 32];

  auto block = cg::this_thread_block();
  int batch_idx = blockIdx.y;
  int j = blockIdx.x;
  if (batch_idx >= batch_size) return;
  int64_t lora_idx = lora_indices[batch_idx];

  float y = 0.f;
  // pipelinify: cp.async, 2 stages, source ace97e40
  int tile_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (tile_load < feat_in / TILE) {
      __pipeline_memcpy_async(&W_shared_stage[load_stage][threadIdx.x],
                              &W[(lora_idx * feat_out + j) * feat_in + tile_load * TILE + threadIdx.x], sizeof(float));
      __pipeline_memcpy_async(&X_shared_stage[load_stage][threadIdx.x],
                              &X[batch_idx * feat_in + tile_load * TILE + threadIdx.x], sizeof(float));
      tile_load++;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int tile = 0; tile < feat_in / TILE; tile++) {
    __pipeline_wait_prior(0);
    block.sync();
    copy_tile(stage ^ 1);

    y += W_shared_stage[stage][threadIdx.x] * X_shared_stage[stage][threadIdx.x];
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  block.sync();

#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    y += __shfl_down_sync(0xffffffff, y, offset);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = y;
  block.sync();
  if (threadIdx.x == 0) {
    float sum = 0.f;
    for (int w = 0; w < TILE / 32; w++) sum += warp_sums[w];
    Y[batch_idx * feat_out + j] += sum;
  }
}

#define INST_LORA(in, out) \
  template __global__ void lora_gemv<in, out>(float*, const float*, const float*, const int64_t*, int);
INST_LORA(64, 2)
INST_LORA(128, 3)
INST_LORA(384, 4)
INST_LORA(2048, 8)
