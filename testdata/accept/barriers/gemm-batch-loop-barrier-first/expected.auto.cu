// Batched small matrix products summed over a grid-stride batch loop; the inner K loop syncs before it loads.

#include <cuda_pipeline.h>

// pipelinify: launch batched_gemm_sum
//   sizes    n=8 k=0,8,16,24,40 batch=1,2,3 blocks=1
//   sizes    n=16 k=32 batch=5 blocks=2
//   target   n=128 k=1024 batch=512 blocks=8
//   grid     n / 8, n / 8, blocks
//   block    8, 8
//   A:       in    [batch * n * k]
//   B:       in    [batch * k * n]
//   C:       inout [blocks * n * n]
//   n:       n
//   k:       k
//   batch:   batch
__global__ void batched_gemm_sum(const float *__restrict__ A,
                                 const float *__restrict__ B,
                                 float *__restrict__ C,
                                 int n, int k, int batch)
{
  constexpr int stages = 4;
  __shared__ float tile_stage[stages][2][8][8];   /* [0] holds A, [1] holds B */
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int i = blockIdx.y * 8 + ty;
  int j = blockIdx.x * 8 + tx;
  float total = 0.0f;

  for (int b = blockIdx.z; b < batch; b += gridDim.z) {
    const float *Ab = A + (long)b * n * k + i * k + tx;
    const float *Bb = B + (long)b * k * n + ty * n + j;
    // pipelinify: cp.async, 4 stages, source 7371a87b
    int p_load = 0, stage = 0;
    if (p_load < k) {
      __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
      if (p_load < k) {
        __pipeline_memcpy_async(&tile_stage[load_stage][0][ty][tx], &Ab[p_load], sizeof(float));
        __pipeline_memcpy_async(&tile_stage[load_stage][1][ty][tx], &Bb[p_load * n], sizeof(float));
        p_load += 8;
      }
      __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
      copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int p = 0; p < k; p += 8) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads();
      copy_tile(stage == 0 ? stages - 1 : stage - 1);
      #pragma unroll
      for (int q = 0; q < 8; q++)
        total += tile_stage[stage][0][ty][q] * tile_stage[stage][1][q][tx];
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
  }
  C[(blockIdx.z * n + i) * n + j] += total;
}
