// One block doubles an array tile by tile, storing to global memory inside the loop through __restrict__ pointers.

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
  __shared__ float buf[TILE];

  int tid = threadIdx.x;
  int num_tiles = (n + TILE - 1) / TILE;

  // pipelinify: ldg-single, 1 stage, source 20658b71
  int t = 0, t_tile = t;
  if (t < num_tiles) {
    auto compute_tile = [&]() {
      int idx = t_tile * TILE + tid;

      // Process the tile
      if (tid < TILE && idx < n)
        out[idx] = buf[tid] * 2.0f;
    };
    {
      // Load the tile
      int idx = t * TILE + tid;
      if (tid < TILE && idx < n)
        buf[tid] = in[idx];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (t++; t < num_tiles; t++) {
      float buf_next;
      // Load the tile
      int idx = t * TILE + tid;
      if (tid < TILE && idx < n)
        buf_next = in[idx];
      compute_tile();
      t_tile++;
      __syncthreads();
      if (tid < TILE && idx < n)
        buf[tid] = buf_next;
      __syncthreads();
    }
    compute_tile();
  }
}
