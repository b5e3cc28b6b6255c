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
  {
    int t = 0;
    auto t_load = t;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
      if (t_load < num_tiles) {
        auto &buf = buf_stage[load_stage];
        auto &t = t_load;
        // Load the tile
        int idx = t * TILE + tid;
        if (tid < TILE && idx < n) {
          __pipeline_memcpy_async(&buf[tid], &in[idx], sizeof(float));
        }
        t++;
      }
      __pipeline_commit();
    };

    // Prologue: start copying the first tile.
    copy_tile(0);

    // Main loop: 1 tile is in flight while computing on one.
    int stage = 0;
    for (; t < num_tiles; t++) {
      __pipeline_wait_prior(0);
      __syncthreads();
      copy_tile(stage ^ 1);
      {
        auto &buf = buf_stage[stage];
        // Load the tile
        int idx = t * TILE + tid;

        // Process the tile
        if (tid < TILE && idx < n)
          out[idx] = buf[tid] * 2.0f;
      }
      stage ^= 1;
    }

    // Epilogue: every copy has landed.
    __pipeline_wait_prior(0);
  }
}
