// Inverse-distance interpolation whose tile loop starts at the thread's own index and runs to a padded count.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

const int kBlock = 64;

// pipelinify: launch idw
//   sizes  stations=0,1,63,64,65,128,192,256,320,350 cells=64
//   sizes  stations=90 cells=1,100
//   target stations=8192 cells=4194304
//   grid   (cells + 63) / 64
//   block  64
//   station: in  [stations] random
//   height:  in  [stations] random
//   cell:    in  [cells] random
//   value:   out [cells]
//   stations: stations
//   cells:   cells
__global__ void idw(const float2 *__restrict__ station, const float *__restrict__ height,
                    const float2 *__restrict__ cell, float *__restrict__ value,
                    int stations, int cells)
{
  constexpr int stages = 3;
  __shared__ float3 near_by_stage[stages][kBlock];

  const int tid = threadIdx.x;
  const int c = blockIdx.x * kBlock + tid;
  const float2 here = c < cells ? cell[c] : make_float2(0.0f, 0.0f);
  float wsum = 1e-20f, vsum = 0.0f;

  const int padded = (stations + kBlock - 1) / kBlock * kBlock;
  // pipelinify: cp.async, 3 stages, source 1acabb9c
  int s_load = tid, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (s_load < padded) {
      auto &s = s_load;
      // far away: hardly any weight
      if (s < stations) {
        __pipeline_memcpy_async(&near_by_stage[load_stage][tid].x, &station[s].x, sizeof(float));
      } else {
        near_by_stage[load_stage][tid].x = 1e9f;
      }
      if (s < stations) {
        __pipeline_memcpy_async(&near_by_stage[load_stage][tid].y, &station[s].y, sizeof(float));
      } else {
        near_by_stage[load_stage][tid].y = 1e9f;
      }
      __pipeline_memcpy_async(&near_by_stage[load_stage][tid].z, &height[s], sizeof(float),
                              (s < stations) ? 0 : sizeof(float));
      s += kBlock;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int s = tid; s < padded; s += kBlock) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

    for (int k = 0; k < kBlock; ++k) {
      const float dx = near_by_stage[stage][k].x - here.x;
      const float dy = near_by_stage[stage][k].y - here.y;
      const float w = 1.0f / (dx * dx + dy * dy + 1e-6f);
      wsum += w;
      vsum += w * near_by_stage[stage][k].z;
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  if (c < cells) value[c] = vsum / wsum;
}
