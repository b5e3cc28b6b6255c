// As clang-format leaves it: pragmas in the first column, empty lines between the phases.
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
  __shared__ float4 tile[BLOCK];
  const float4 me = self[blockIdx.x * BLOCK + threadIdx.x];
  float force = 0.0f;

  // pipelinify: ldg-single, 1 stage, source afd2703f
  int t = 0;
  if (t < tiles) {
    auto compute_tile = [&]() {
#pragma unroll 8
      for (int i = 0; i < BLOCK; ++i) {
        const float dx = tile[i].x - me.x;
        const float dy = tile[i].y - me.y;
        force += tile[i].w / (dx * dx + dy * dy + 0.5f);
      }
    };
    tile[threadIdx.x] = bodies[t * BLOCK + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
#pragma unroll 1
    for (++t; t < tiles; ++t) {  // a tile of bodies
      float4 tile_next = bodies[t * BLOCK + threadIdx.x];
      compute_tile();
      __syncthreads();
      tile[threadIdx.x] = tile_next;
      __syncthreads();
    }
    compute_tile();
  }

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
  __shared__ unsigned char part[256];
  unsigned most = 0;

  // pipelinify: ldg-single, 1 stage, source ee46a7ff
  int t = 0;
  if (t < tiles) {
#pragma unroll
    for (int i = threadIdx.x; i < 256; i += 64)
      part[i] = in[(blockIdx.x * tiles + t) * 256 + i];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++t; t < tiles; ++t) {
      unsigned char part_next[4];
#pragma unroll
      for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        part_next[slot] = in[(blockIdx.x * tiles + t) * 256 + i];
      }

      for (int i = 0; i < 256; ++i) most = max(most, (unsigned)part[i ^ threadIdx.x]);

      __syncthreads();
#pragma unroll
      for (int slot = 0; slot < 4; ++slot) {
        int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
        part[i] = part_next[slot];
      }
      __syncthreads();
    }
    for (int i = 0; i < 256; ++i) most = max(most, (unsigned)part[i ^ threadIdx.x]);
  }

  out[blockIdx.x * 64 + threadIdx.x] = most;
}
