// A switch whose header declares what it switches on: its breaks are its own.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch weigh
//   sizes  tiles=0,1,2,3,5,8 blocks=1,3
//   target tiles=128 blocks=512
//   grid   blocks
//   block  64
//   from:  in  [blocks * tiles * 64] random
//   to:    out [blocks * 64]
//   tiles: tiles
__global__ void weigh(const float *__restrict__ from, float *__restrict__ to, int tiles) {
  constexpr int stages = 8;
  __shared__ float row_stage[stages][64];
  int t = threadIdx.x;
  float sum = 0.0f;
  // pipelinify: cp.async, 8 stages, source 431c4114
  {
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
      if (i_load < tiles) {
        __pipeline_memcpy_async(&row_stage[load_stage][t],
                                &from[(blockIdx.x * tiles + i_load) * 64 + t], sizeof(float));
        ++i_load;
      }
      __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
      copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < tiles; ++i) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads();
      copy_tile(stage == 0 ? stages - 1 : stage - 1);
      auto &row = row_stage[stage];
      switch (int part = (t + i) & 3) {
      case 0:
        sum += row[t ^ 1];
        break;
      case 1:
        sum -= row[63 - t];
        break;
      default:
        sum += part * row[t];
      }
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
  }
  to[blockIdx.x * 64 + t] = sum;
}
