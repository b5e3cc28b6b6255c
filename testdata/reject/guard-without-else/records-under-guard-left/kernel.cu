// Records under a guard, changed in one place each: what is read may be of the tile before.
#include <cuda_runtime.h>

#define DIM 3
#define TPB 64

struct Particle { float3 pos; float mass; };

// One word past the record: of the last one it is nobody's.
__global__ void word_past(const float *__restrict__ pos, float *__restrict__ out, const int n)
{
  __shared__ float s[TPB * DIM + 1];
  float f = 0.f;
  for (int start = 0; start < n; start += TPB)
  {
    const int cnt = min(TPB, n - start);
    if (threadIdx.x < cnt)
      for (int k = 0; k < DIM; k++)
        s[DIM * threadIdx.x + k] = pos[DIM * (start + threadIdx.x) + k];
    __syncthreads();
    for (int j = 0; j < cnt; j++)
      f += s[DIM * j + 3];
    __syncthreads();
  }
  out[threadIdx.x] = f;
}

// One record more.
__global__ void record_past(const float *__restrict__ pos, float *__restrict__ out, const int n)
{
  __shared__ float s[TPB * DIM + DIM];
  float f = 0.f;
  for (int start = 0; start < n; start += TPB)
  {
    const int cnt = min(TPB, n - start);
    if (threadIdx.x < cnt)
      for (int k = 0; k < DIM; k++)
        s[DIM * threadIdx.x + k] = pos[DIM * (start + threadIdx.x) + k];
    __syncthreads();
    for (int j = 0; j <= cnt; j++)
      f += s[DIM * j + 1];
    __syncthreads();
  }
  out[threadIdx.x] = f;
}

// The words of a record begin below it: those of record t are 3 t - 1 to 3 t + 1.
__global__ void words_below(const float *__restrict__ pos, float *__restrict__ out, const int n)
{
  __shared__ float s[TPB * DIM + 1];
  float f = 0.f;
  for (int start = 0; start < n; start += TPB)
  {
    const int cnt = min(TPB, n - start), t = threadIdx.x;
    if (t < cnt)
      for (int k = -1; k < 2; k++)
        s[DIM * t + 1 + k] = pos[DIM * (start + t) + 1 + k];
    __syncthreads();
    for (int j = 0; j < cnt; j++)
      f += s[DIM * j + 3];
    __syncthreads();
  }
  out[threadIdx.x] = f;
}

// A member of each cell, without its guard's bound.
__global__ void member_past(const float *__restrict__ px, const float *__restrict__ pm,
                            float *__restrict__ out, int n)
{
  __shared__ Particle cache[32];
  float sum = 0.f;
  for (int first = 0; first < n; first += 32)
  {
    const int other = first + threadIdx.x;
    if (other < n)
    {
      cache[threadIdx.x].pos.x = px[other];
      cache[threadIdx.x].mass = pm[other];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
    {
      const Particle &p = cache[j];
      if (first + j < n + 1)
        sum += p.mass * p.pos.x;
    }
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// What the reference names is kept for later tiles.
__global__ void kept_by_address(const float *__restrict__ px, const float *__restrict__ pm,
                                float *__restrict__ out, int n)
{
  __shared__ Particle cache[32];
  const Particle *best = nullptr;
  float sum = 0.f;
  for (int first = 0; first < n; first += 32)
  {
    const int other = first + threadIdx.x;
    if (other < n)
    {
      cache[threadIdx.x].pos.x = px[other];
      cache[threadIdx.x].mass = pm[other];
    }
    __syncthreads();
    const int stop = min(32, n - first);
    for (int j = 0; j < stop; ++j)
    {
      const Particle &p = cache[j];
      if (p.mass > sum)
        best = &p;
      sum += p.pos.x;
    }
    sum += best ? best->mass : 0.f;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
