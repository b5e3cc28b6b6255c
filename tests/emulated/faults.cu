// Kernels that end badly. MUTANT chooses how.
#include <cuda_pipeline.h>
#include <string.h>

#ifndef MUTANT
#define MUTANT 0
#endif

// pipelinify: launch scale
//   sizes N=64,100
//   grid (N + 63) / 64
//   block 64
//   in: in [N]
//   out: out [N]
//   n: N
// pipelinify: launch racy
//   sizes N=64
//   grid 1
//   block 64
//   out: out [64]
// pipelinify: launch unstable
//   sizes N=64
//   grid 1
//   block 64
//   out: out [64]
__global__ void scale(const float *in, float *out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
#if MUTANT < 7
  tile[threadIdx.x] = i < n ? 2 * in[i] : 0;
#endif
#if MUTANT == 1
  for (volatile int k = 0; i < n; k = 1)
    ;
#elif MUTANT == 2
  if (n > 64)
    __trap();
#elif MUTANT == 3
  if (n > 64)
    out[(size_t)1 << 40] = tile[0];
#elif MUTANT == 4
  out[0] = undeclared_name;
#elif MUTANT == 5
  asm("tanh.approx.f32 %0, %1;" : "=f"(out[0]) : "f"(in[0]));
#elif MUTANT == 6
  if (threadIdx.x < 32)
    __syncthreads();
  else
    while (__any_sync(0xffffffffu, 0) || threadIdx.x == 40)
      __syncwarp();
#elif MUTANT == 7
  tile[threadIdx.x ^ 1] = i < n ? 2 * in[i ^ 1] : 0;
  __syncwarp();
  if (i < n)
    out[i] = tile[threadIdx.x];
  return;
#elif MUTANT == 8
  float value[2];
  memcpy(value, &in[i < n ? i : 0], 8);
  tile[threadIdx.x] = i < n ? 2 * value[0] : 0;
#elif MUTANT == 9
  if (threadIdx.x == 0)
    memset(tile, 0, sizeof tile);
  tile[threadIdx.x] = i < n ? 2 * in[i] : 0;
#elif MUTANT == 10
  if (i < n)
    memcpy(&tile[threadIdx.x], &in[i], 4);
  else
    memset(&tile[threadIdx.x], 0, 4);
  tile[threadIdx.x] *= 2;
#elif MUTANT == 11
  float value = i < n ? 2 * in[i] : 0;
  __pipeline_memcpy_async(&tile[threadIdx.x], &value, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
#elif MUTANT == 12 || MUTANT == 13
  __shared__ float rows[2][MUTANT == 12 ? 36 : 33];
  if (threadIdx.x < 33)
    rows[1][threadIdx.x] = threadIdx.x;
  __syncthreads();
  const float4 four = *(const float4 *)&rows[1][threadIdx.x / 8 * 4];
  tile[threadIdx.x] = i < n ? 2 * in[i] : four.x * four.y + four.z * four.w;
#elif MUTANT == 14
  for (int k = 0; k < 16; ++k)
    tile[64 * k + threadIdx.x] = i < n ? 2 * in[i] : 0;
#endif
  __syncthreads();
  if (i < n)
    out[i] = tile[threadIdx.x];
}

__global__ void racy(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__device__ int order;
__global__ void unstable(int *out) { out[threadIdx.x] = atomicAdd(&order, 1); }
