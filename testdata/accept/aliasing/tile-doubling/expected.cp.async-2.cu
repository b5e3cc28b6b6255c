// One block doubles an array tile by tile, storing to global memory inside the loop through __restrict__ pointers.

#include <cuda_pipeline.h>

// pipelinify: launch double_tiles
//   sizes  n=0,1,255,256,257,512,768,1000,1024,1280,1281,2300
//   target n=16777216
//   grid   1
//   block  256
//   in:    in  [n] random
//   out:   out [n]
//   n:     n
//   work   bytes 8 * n
__global__ void double_tiles(const float* __restrict__ in, float* __restrict__ out, int n) {
  constexpr int TILE = 256;
  __shared__ float buf_stage[2][TILE];

  int tid = threadIdx.x;
  int num_tiles = (n + TILE - 1) / TILE;

  // pipelinify: cp.async, 2 stages, source 20658b71
  int t_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (t_load < num_tiles) {
      // Load the tile
      int idx = t_load * TILE + tid;
      if (tid < TILE && idx < n)
        __pipeline_memcpy_async(&buf_stage[load_stage][tid], &in[idx], sizeof(float));
      t_load++;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int t = 0; t < num_tiles; t++) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    int idx = t * TILE + tid;

    // Process the tile
    if (tid < TILE && idx < n)
      out[idx] = buf_stage[stage][tid] * 2.0f;
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
}
