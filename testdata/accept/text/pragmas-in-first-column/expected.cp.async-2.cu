// As clang-format leaves it: pragmas in the first column, empty lines between the phases.
#include <cuda_pipeline.h>

#define BLOCK 64

// pipelinify: launch forces
//   sizes  tiles=0,1,2,3,4,9 n=64,128
//   target tiles=1024 n=65536
//   grid   n / 64
//   block  64
//   bodies: in  [tiles * 64 * 4] range(-1, 1)
//   self:   in  [n * 4] range(-1, 1)
//   out:    out [n]
//   tiles:  tiles
__global__ void forces(const float4 *__restrict__ bodies, const float4 *__restrict__ self,
                       float *__restrict__ out, int tiles) {
  __shared__ float4 tile_stage[2][BLOCK];
  const float4 me = self[blockIdx.x * BLOCK + threadIdx.x];
  float force = 0.0f;

  // pipelinify: cp.async, 2 stages, source afd2703f
  int t_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (t_load < tiles) {
      __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                              &bodies[t_load * BLOCK + threadIdx.x], sizeof(float4));
      ++t_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
#pragma unroll 1
  for (int t = 0;t < tiles;++t) {  // a tile of bodies
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

#pragma unroll 8
    for (int i = 0; i < BLOCK; ++i) {
      const float dx = tile_stage[stage][i].x - me.x;
      const float dy = tile_stage[stage][i].y - me.y;
      force += tile_stage[stage][i].w / (dx * dx + dy * dy + 0.5f);
    }

    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  out[blockIdx.x * BLOCK + threadIdx.x] = force;
}

// Several elements a thread, fetched by loops of their own.
// pipelinify: launch row_maxima
//   sizes  tiles=0,1,2,3 rows=1,2
//   target tiles=2048 rows=2048
//   grid   rows
//   block  64
//   in:    in  [rows * tiles * 256] below(255)
//   out:   out [rows * 64]
//   tiles: tiles
__global__ void row_maxima(const unsigned char *in, unsigned *__restrict__ out, int tiles) {
  __shared__ __align__(16) unsigned char part_stage[2][256];
  unsigned most = 0;

  // pipelinify: cp.async, 2 stages, source ee46a7ff
  // Whether 16 neighbouring elements can be one copy: all is aligned.
  const bool joined = blockDim.x == 64 && (size_t)in % 16 == 0;
  int t_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (t_load < tiles) {
      if (joined) {
#pragma unroll
        for (int i = 16 * threadIdx.x; i < 256; i += 16 * 64)
          __pipeline_memcpy_async(&part_stage[load_stage][i],
                                  &in[(blockIdx.x * tiles + t_load) * 256 + i], 16);
      } else {
#pragma unroll
        for (int i = threadIdx.x; i < 256; i += 64)
          part_stage[load_stage][i] = in[(blockIdx.x * tiles + t_load) * 256 + i];
      }
      ++t_load;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);

    for (int i = 0; i < 256; ++i) most = max(most, (unsigned)part_stage[stage][i ^ threadIdx.x]);

    stage ^= 1;
  }
  __pipeline_wait_prior(0);

  out[blockIdx.x * 64 + threadIdx.x] = most;
}
