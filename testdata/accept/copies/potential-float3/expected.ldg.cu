// Potential of point sources on a set of probes: float3 positions and a charge array, tiles fill row by row without a guard.
#include <cuda_runtime.h>

using Vec = float3;

namespace
{
  constexpr int BlockSize = 96;

  __device__ float norm(const Vec& a, const Vec& b)
  {
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrtf(x * x + y * y + z * z + 1e-6f);
  }
}

// pipelinify: launch probe_potential
//   sizes    probes=96 tiles=0,1,2,3,4,5,8
//   sizes    probes=50,100 tiles=2
//   target   probes=98304 tiles=1024
//   let      sources = tiles * 96
//   grid     (probes + 95) / 96
//   block    96
//   where:   in  [probes] random
//   position: in [sources] random
//   charge:  in  [sources] random
//   phi:     out [probes]
//   nprobes: probes
//   nsources: sources
__global__ void probe_potential(const Vec* __restrict__ where, const Vec* __restrict__ position,
                                const float* __restrict__ charge, float* __restrict__ phi,
                                const unsigned nprobes, const unsigned nsources)
{
  __shared__ Vec   sharedPos_stage[2][BlockSize];
  __shared__ float sharedQ_stage[2][BlockSize];

  const unsigned gid = blockIdx.x * BlockSize + threadIdx.x;
  const Vec probe = gid < nprobes ? where[gid] : make_float3(0, 0, 0);
  float sum = 0.0f;

  // pipelinify: ldg, 2 stages, source 987ad05e
  unsigned first = 0;
  if (first < nsources)
  {
    int stage = 0;
    sharedPos_stage[0][threadIdx.x] = position[first + threadIdx.x];
    sharedQ_stage[0][threadIdx.x] = charge[first + threadIdx.x];
    first += BlockSize;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (; first < nsources; first += BlockSize)
    {
      Vec sharedPos_next = position[first + threadIdx.x];
      float sharedQ_next = charge[first + threadIdx.x];

      #pragma unroll 4
      for (unsigned s = 0; s < BlockSize; ++s)
        sum += sharedQ_stage[stage][s] / norm(sharedPos_stage[stage][s], probe);

      stage ^= 1;
      sharedPos_stage[stage][threadIdx.x] = sharedPos_next;
      sharedQ_stage[stage][threadIdx.x] = sharedQ_next;
      __syncthreads();
    }
    #pragma unroll 4
    for (unsigned s = 0; s < BlockSize; ++s)
      sum += sharedQ_stage[stage][s] / norm(sharedPos_stage[stage][s], probe);
  }

  if (gid < nprobes)
    phi[gid] = sum;
}
