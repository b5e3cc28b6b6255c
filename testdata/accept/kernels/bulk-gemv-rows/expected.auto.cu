// Matrix-vector product in rows of 512 floats, four at a time: a tile of the row and one of the vector.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

constexpr int CHUNK = 128; // float4

// pipelinify: launch gemv_rows
//   sizes    rows=2 chunks=0,1,2,3,4,5,7
//   target   rows=264 chunks=512
//   requires rows > 0
//   grid     rows
//   block    64
//   w:       in  [rows * chunks * 128]
//   x:       in  [chunks * 128]
//   y:       out [rows]
//   chunks:  chunks
__global__ void gemv_rows(const float4 *__restrict__ w, const float4 *__restrict__ x, float *__restrict__ y,
                          int chunks) {
  constexpr int stages = 4;
  __shared__ float4 row_stage[stages][CHUNK];
  __shared__ float4 part_stage[stages][CHUNK];
  __shared__ float sums[64];
  const float4 *own = w + (size_t)blockIdx.x * chunks * CHUNK;
  float sum = 0.0f;
  // pipelinify: bulk, 4 stages, source 81477e3e
  // Whether a tile's rows can be copied whole: all is aligned.
  const bool whole = (size_t)w % 16 == 0 && (size_t)x % 16 == 0;
  // One for each stage: its copies have landed, and all threads are there.
  #pragma nv_diagnostic push
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
  #pragma nv_diagnostic pop
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (int stage = 0; stage < stages; ++stage)
      init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();
  int c_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (c_load < chunks) {
      if (whole) {
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
          cuda::device::experimental::fence_proxy_async_shared_cta();
          for (int i = 0; i < CHUNK; i += 128) {
            cuda::device::barrier_expect_tx(landed[load_stage], 2048);
            cuda::device::memcpy_async_tx(&row_stage[load_stage][i], &own[c_load * CHUNK + i],
                                          cuda::aligned_size_t<16>(2048), landed[load_stage]);
            cuda::device::barrier_expect_tx(landed[load_stage], 2048);
            cuda::device::memcpy_async_tx(&part_stage[load_stage][i], &x[c_load * CHUNK + i],
                                          cuda::aligned_size_t<16>(2048), landed[load_stage]);
          }
        }
      } else {
        for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) {
          __pipeline_memcpy_async(&row_stage[load_stage][i], &own[c_load * CHUNK + i], sizeof(float4));
          __pipeline_memcpy_async(&part_stage[load_stage][i], &x[c_load * CHUNK + i], sizeof(float4));
        }
      }
      __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
      c_load++;
    }
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int c = 0; c < chunks; c++) {
    landed[stage].arrive_and_wait();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
      sum += row_stage[stage][i].x * part_stage[stage][i].x + row_stage[stage][i].y * part_stage[stage][i].y +
             row_stage[stage][i].z * part_stage[stage][i].z + row_stage[stage][i].w * part_stage[stage][i].w;
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __syncthreads();
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int i = 0; i < 64; i++)
      all += sums[i];
    y[blockIdx.x] = all;
  }
}
