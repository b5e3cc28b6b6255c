#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  // pipelinify: cp.async, 2 stages, source b94f4a60
  int first_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (first_load < n) {
      int left = min(PART, n - first_load);
      __pipeline_memcpy_async(&w_stage[load_stage][lane], &weight[first_load + lane], sizeof(float),
                              (lane < left) ? 0 : sizeof(float));
      __pipeline_memcpy_async(&z_stage[load_stage][lane], &zero[first_load + lane], sizeof(float),
                              (lane < left) ? 0 : sizeof(float));
      first_load += PART;
    }
    __pipeline_commit();
  };
  copy_tile(0);
  // Main loop: 1 tile is in flight while computing on one.
  for (int first = 0; first < n; first += PART) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy_tile(stage ^ 1);
    int left = min(PART, n - first);
    while (left-- > 0) {
      const float x = 0.5f * z_stage[stage][left] * r;
      sum += w_stage[stage][left] * x * (1.0f - x * x * (0.5f - x * x * (1.0f / 12.0f)));
    }
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
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
  __shared__ float pool[PART];
  const float *from = charge + (size_t)blockIdx.x * tiles * PART + threadIdx.x;
  float flow = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    float mine[2];
    mine[0] = *from;
    mine[1] = mine[0] * 0.5f;
    pool[threadIdx.x] = mine[0] - mine[1];
    from += PART;
    __syncthreads();
    for (int i = 0; i < PART; ++i) {
      const float moved = (mine[i & 1] - pool[i]) * 0.125f;
      mine[i & 1] -= moved;
      flow += moved * (i ^ t);
    }
    mine[0] += mine[1];
    flow += mine[0];
    __syncthreads();
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
  // pipelinify: cp.async, 2 stages, source dfc7df11
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
      __pipeline_memcpy_async(&a_stage[0][i], &x[at], sizeof(float));
      b_stage[0][PART - 1 - i] = x[at] * x[at];
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    // Main loop: copy or fetch the next tile while computing on this one.
    for (++t; t < tiles; ++t) {
      int i = threadIdx.x, at = (blockIdx.x * tiles + t) * PART + i;
      __pipeline_memcpy_async(&a_stage[stage ^ 1][i], &x[at], sizeof(float));
      float b_next = x[at];
      float b_next2 = x[at];
      __pipeline_commit();
      compute_tile();
      ++t_tile;
      stage ^= 1;
      b_stage[stage][PART - 1 - i] = b_next * b_next2;
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * PART + threadIdx.x] = sum;
}
