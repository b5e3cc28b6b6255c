// Fast-Gauss-free Gauss transform: the tile is as wide as the block, in dynamic shared memory, guard without else and min() bound.
#include <cuda_runtime.h>

// pipelinify: launch gauss_transform
//   sizes  n=0,1,63,64,65,128,192,256,320,333 m=70 threads=64
//   sizes  n=5,100,300 m=32 threads=32,96
//   target n=65536 m=65536 threads=256
//   grid   (m + threads - 1) / threads
//   block  threads
//   smem   threads * 8
//   src:   in  [n] random
//   n:     n
//   dst:   in  [m] random
//   pot:   out [m]
//   m:     m
//   inv_h2: 2.0
__global__ void gauss_transform(const float2* __restrict__ src, int n,
                                const float* __restrict__ dst, float* __restrict__ pot, int m,
                                float inv_h2)
{
  extern __shared__ float2 chunk[];   // blockDim.x (position, weight) pairs
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = i < m ? dst[i] : 0.f;
  float sum = 0.f;

  // pipelinify: ldg-single, 1 stage, source b273e0f5
  int j = 0, j_tile = j;
  if (j < n)
  {
    auto compute_tile = [&]()
    {
      int stop = min((int)blockDim.x, n - j_tile);
      for (int k = 0; k < stop; ++k)
      {
        float d = chunk[k].x - at;
        sum += chunk[k].y * __expf(-d * d * inv_h2);
      }
    };
    if (j + threadIdx.x < n)
      chunk[threadIdx.x] = src[j + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (j += blockDim.x; j < n; j += blockDim.x)
    {
      float2 chunk_next;
      if (j + threadIdx.x < n)
        chunk_next = src[j + threadIdx.x];
      compute_tile();
      j_tile += blockDim.x;
      __syncthreads();
      if (j + threadIdx.x < n)
        chunk[threadIdx.x] = chunk_next;
      __syncthreads();
    }
    compute_tile();
  }

  if (i < m)
    pot[i] = sum;
}

void gaussTransform(const float2* src, int n, const float* dst, float* pot, int m, float h, int threads)
{
  gauss_transform<<<(m + threads - 1) / threads, threads, threads * sizeof(float2)>>>(
      src, n, dst, pot, m, 1.f / (h * h));
}
