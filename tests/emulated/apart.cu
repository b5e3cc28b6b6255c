// The shared objects of one kernel, of the function that it calls and of a loop's
// body: each has an end of its own. MUTANT: which one is left for its neighbour,
// at a time when nobody needs what the neighbour holds.
#include <cuda_pipeline.h>
#include <string.h>

#ifndef MUTANT
#define MUTANT 0
#endif
#define PAST(mutant, n) (MUTANT == (mutant) ? (n) : 0)

// pipelinify: launch apart
//   sizes N=64
//   grid 2
//   block 64
//   in: in [N]
//   counts: in [N] below(64)
//   out: out [2 * N]
// pipelinify: launch of_one_object
//   sizes N=64
//   grid 1
//   block 64
//   in: in [N]
//   out: out [N]
template <class T, int N>
static __device__ T turned(const T *in, int past) {
  __shared__ T low[N], high[N];
  low[threadIdx.x + past] = in[threadIdx.x];
  high[threadIdx.x + past] = low[threadIdx.x + past];
  __syncthreads();
  const T value = high[N - 1 - threadIdx.x + past];
  __syncthreads();
  return value;
}

__global__ void apart(const float *in, const int *counts, float *out) {
  __shared__ float first[64], second[64];
  __shared__ int third[64];
  __shared__ __align__(16) float4 fourth[16];
  const int t = threadIdx.x;
  float sum = turned<float, 64>(in, PAST(1, 64)) + turned<int, 64>(counts, 0);
  first[t + PAST(2, 64)] = in[t];
  __syncthreads();
  sum += first[63 - t + PAST(2, 64)];
  __syncthreads();
  second[t + PAST(3, 64)] = in[t];
  __syncthreads();
  sum += second[63 - t + PAST(3, 64)];
  __syncthreads();
  third[t] = 0;
  third[t + PAST(4, 64)] = 0;
  __syncthreads();
  atomicAdd(&third[counts[t] % 64 + PAST(4, 64)], 1);
  __syncthreads();
  sum += third[t + PAST(4, 64)];
  __syncthreads();
  if (t < 16)
    __pipeline_memcpy_async(&fourth[t + PAST(5, 16)], &in[4 * t], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 four = fourth[t / 4 + PAST(5, 16)];
  sum += four.x * four.y - four.z * four.w;
  for (int k = 0; k < 2; ++k) {
    __shared__ float inner[64];
    memcpy(&inner[t + PAST(6, 64)], &in[t], sizeof(float));
    __syncthreads();
    sum += inner[(t ^ 1) + PAST(6, 64)];
    __syncthreads();
    inner[t - PAST(7, 64)] = sum;
    __syncthreads();
    sum += inner[63 - t - PAST(7, 64)];
    __syncthreads();
  }
  out[64 * blockIdx.x + t] = sum;
}

// What runs on from row to row, or from member to member, stays in its object.
__global__ void of_one_object(const float *in, float *out) {
  __shared__ float rows[4][16];
  __shared__ struct {
    float head[16];
    float rest[48];
  } both;
  __shared__ alignas(128) char bytes[3];
  const int t = threadIdx.x;
  (&rows[0][0])[t] = in[t];
  (&both.head[0])[t] = in[63 - t];
  if (t < 3)
    bytes[t] = (char)t;
  __syncthreads();
  const float *row = rows[1] + PAST(8, 16), *member = both.head + PAST(9, 16);
  float sum = row[t % 48] + member[63 - t] + bytes[t % 3];
  if (t < 12)
    sum += ((const float4 *)rows[1])[t].w;
  out[t] = sum;
}
