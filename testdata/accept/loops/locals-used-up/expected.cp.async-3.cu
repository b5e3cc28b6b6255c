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
  constexpr int stages = 3;
  __shared__ float w_stage[stages][PART];
  __shared__ float z_stage[stages][PART];
  const int lane = threadIdx.x;
  const float r = radius[blockIdx.x * PART + lane];
  float sum = 0.0f;
  // pipelinify: cp.async, 3 stages, source b94f4a60
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
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int first = 0; first < n; first += PART) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    int left = min(PART, n - first);
    while (left-- > 0) {
      const float x = 0.5f * z_stage[stage][left] * r;
      sum += w_stage[stage][left] * x * (1.0f - x * x * (0.5f - x * x * (1.0f / 12.0f)));
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
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
  __shared__ float a[PART];
  __shared__ float b[PART];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    int i = threadIdx.x, at = (blockIdx.x * tiles + t) * PART + i;
    a[i] = x[at];
    b[PART - 1 - i] = x[at] * x[at];
    __syncthreads();
    for (i = 0; i + lag < PART; ++i)
      sum += a[i] * a[i + lag] - b[i];
    i = (threadIdx.x + t) % PART;
    at = i ^ lag;
    sum += a[i] * at;
    __syncthreads();
  }
  out[blockIdx.x * PART + threadIdx.x] = sum;
}
