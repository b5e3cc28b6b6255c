// Batched small matrix products summed over a grid-stride batch loop; the inner K loop syncs before it loads.

#include <cooperative_groups.h>
#include <cuda/pipeline>

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
  __shared__ float tile_stage[2][2][8][8];   /* [0] holds A, [1] holds B */
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int i = blockIdx.y * 8 + ty;
  int j = blockIdx.x * 8 + tx;
  float total = 0.0f;

  for (int b = blockIdx.z; b < batch; b += gridDim.z) {
    const float *Ab = A + (long)b * n * k + i * k + tx;
    const float *Bb = B + (long)b * k * n + ty * n + j;
    // pipelinify: pipeline-unified, 2 stages, source 7371a87b
    __syncthreads();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int p_load = 0, stage = 0;
    int load_stage = 0, begun = 0;
    for (int p = 0; p < k; p += 8) {
      // Fetch loop: starts to copy to all stages that are free.
      for (; begun < 2; ++begun) {
        pipe.producer_acquire();
        if (p_load < k) {
          cuda::memcpy_async(&tile_stage[load_stage][0][ty][tx], &Ab[p_load],
                             cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
          cuda::memcpy_async(&tile_stage[load_stage][1][ty][tx], &Bb[p_load * n],
                             cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
          p_load += 8;
        }
        pipe.producer_commit();
        load_stage ^= 1;
      }
      pipe.consumer_wait();
      #pragma unroll
      for (int q = 0; q < 8; q++)
        total += tile_stage[stage][0][ty][q] * tile_stage[stage][1][q][tx];
      pipe.consumer_release();
      stage ^= 1;
      --begun;
    }
    for (; begun > 0; --begun) {
      pipe.consumer_wait();
      pipe.consumer_release();
    }
  }
  C[(blockIdx.z * n + i) * n + j] += total;
}
