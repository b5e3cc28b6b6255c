#include <cuda_runtime.h>

#define PART 64

// Fourier-Bessel sums: what a tile holds is counted down while it is used.
// pipelinify: launch j1
//   sizes  n=0,1,63,64,65,128,200,320 points=64,128
//   target n=1000000 points=65536
//   grid   points / PART
//   block  PART
//   let    PART = 64
//   weight: in  [n] range(-1, 1)
//   zero:   in  [n] range(0, 3)
//   radius: in  [points] range(0, 1)
//   out:    out [points]
//   n:      n
__global__ void j1(const float *__restrict__ weight, const float *__restrict__ zero,
                   const float *__restrict__ radius, float *__restrict__ out, int n)
{
  __shared__ float w_stage[2][PART];
  __shared__ float z_stage[2][PART];
  const int lane = threadIdx.x;
  const float r = radius[blockIdx.x * PART + lane];
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source b94f4a60
  int first = 0, first_tile = first, stage = 0;
  if (first < n) {
    auto compute_tile = [&]() {
      int left = min(PART, n - first_tile);
      while (left-- > 0) {
        const float x = 0.5f * z_stage[stage][left] * r;
        sum += w_stage[stage][left] * x * (1.0f - x * x * (0.5f - x * x * (1.0f / 12.0f)));
      }
    };
    {
      int left = min(PART, n - first);
      w_stage[0][lane] = lane < left ? weight[first + lane] : 0.0f;
      z_stage[0][lane] = lane < left ? zero[first + lane] : 0.0f;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (first += PART; first < n; first += PART) {
      int left = min(PART, n - first);
      float w_next = lane < left ? weight[first + lane] : 0.0f;
      float z_next = lane < left ? zero[first + lane] : 0.0f;
      compute_tile();
      first_tile += PART;
      stage ^= 1;
      w_stage[stage][lane] = w_next;
      z_stage[stage][lane] = z_next;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * PART + lane] = sum;
}

// Each thread keeps the value that it loaded and changes it as it meets the others'.
// pipelinify: launch exchange
//   sizes  tiles=0,1,2,3,4,9
//   target tiles=4096
//   grid   2
//   block  PART
//   let    PART = 64
//   charge: in  [2 * tiles * PART] range(-1, 1)
//   out:    out [2 * PART]
//   tiles:  tiles
__global__ void exchange(const float *__restrict__ charge, float *__restrict__ out, int tiles)
{
  __shared__ float pool_stage[2][PART];
  const float *from = charge + (size_t)blockIdx.x * tiles * PART + threadIdx.x;
  float flow = 0.0f;
  // pipelinify: ldg, 2 stages, source c7b7caab
  int t = 0, t_tile = t, stage = 0;
  auto from_tile = from;
  if (t < tiles) {
    auto compute_tile = [&]() {
      float mine[2];
      mine[0] = *from_tile;
      mine[1] = mine[0] * 0.5f;
      from_tile += PART;
      for (int i = 0; i < PART; ++i) {
        const float moved = (mine[i & 1] - pool_stage[stage][i]) * 0.125f;
        mine[i & 1] -= moved;
        flow += moved * (i ^ t_tile);
      }
      mine[0] += mine[1];
      flow += mine[0];
    };
    {
      float mine[2];
      mine[0] = *from;
      mine[1] = mine[0] * 0.5f;
      pool_stage[0][threadIdx.x] = mine[0] - mine[1];
      from += PART;
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++t; t < tiles; ++t) {
      float mine[2];
      mine[0] = *from;
      mine[1] = mine[0] * 0.5f;
      compute_tile();
      ++t_tile;
      stage ^= 1;
      pool_stage[stage][threadIdx.x] = mine[0] - mine[1];
      from += PART;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * PART + threadIdx.x] = flow;
}

// One index serves the loads, and then everything else.
// pipelinify: launch lagged
//   sizes  tiles=0,1,2,3,4,9 lag=0,1,5
//   target tiles=4096 lag=3
//   grid   2
//   block  PART
//   let    PART = 64
//   x:     in  [2 * tiles * PART] range(-1, 1)
//   out:   out [2 * PART]
//   tiles: tiles
//   lag:   lag
__global__ void lagged(const float *__restrict__ x, float *__restrict__ out, int tiles, int lag)
{
  __shared__ float a_stage[2][PART];
  __shared__ float b_stage[2][PART];
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source dfc7df11
  int t = 0, t_tile = t, stage = 0;
  if (t < tiles) {
    auto compute_tile = [&]() {
      int i = threadIdx.x, at = (blockIdx.x * tiles + t_tile) * PART + i;
      for (i = 0; i + lag < PART; ++i)
        sum += a_stage[stage][i] * a_stage[stage][i + lag] - b_stage[stage][i];
      i = (threadIdx.x + t_tile) % PART;
      at = i ^ lag;
      sum += a_stage[stage][i] * at;
    };
    {
      int i = threadIdx.x, at = (blockIdx.x * tiles + t) * PART + i;
      a_stage[0][i] = x[at];
      b_stage[0][PART - 1 - i] = x[at] * x[at];
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (++t; t < tiles; ++t) {
      int i = threadIdx.x, at = (blockIdx.x * tiles + t) * PART + i;
      float a_next = x[at];
      float b_next = x[at];
      float b_next2 = x[at];
      compute_tile();
      ++t_tile;
      stage ^= 1;
      a_stage[stage][i] = a_next;
      b_stage[stage][PART - 1 - i] = b_next * b_next2;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * PART + threadIdx.x] = sum;
}
