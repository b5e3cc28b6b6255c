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
  // 2 stages: the kernel is trapped where its launch does not give them, and 1 byte more
  unsigned chunk_given;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(chunk_given));
  if (chunk_given % 256 != 1)
    __trap();
  struct chunk_stages {
    float2 *first;
    unsigned bytes;
    __device__ float2 (&operator[](int stage) const)[] {
      return *reinterpret_cast<float2 (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
    }
  };
  const chunk_stages chunk_stage = {chunk, chunk_given / 2};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = i < m ? dst[i] : 0.f;
  float sum = 0.f;

  // pipelinify: ldg, 2 stages, source b273e0f5
  {
    int j = 0;
    auto j_tile = j;
    if (j < n)
    {
      // Computes on the tile in a stage.
      auto compute_tile = [&](int stage)
      {
        auto &chunk = chunk_stage[stage];
        auto &j = j_tile;
        int stop = min((int)blockDim.x, n - j);
        for (int k = 0; k < stop; ++k)
        {
          float d = chunk[k].x - at;
          sum += chunk[k].y * __expf(-d * d * inv_h2);
        }
      };

      // Prologue: load the first tile.
      {
        auto &chunk = chunk_stage[0];
        if (j + threadIdx.x < n)
          chunk[threadIdx.x] = src[j + threadIdx.x];
      }
      j += blockDim.x;
      __syncthreads();

      // Main loop: fetch the next tile while computing on this one.
      int stage = 0;
      for (; j < n; j += blockDim.x)
      {
        float2 chunk_next;
        if (j + threadIdx.x < n)
        {
          chunk_next = src[j + threadIdx.x];
        }
        compute_tile(stage);
        j_tile += blockDim.x;
        stage ^= 1;
        {
          auto &chunk = chunk_stage[stage];
          if (j + threadIdx.x < n)
          {
            chunk[threadIdx.x] = chunk_next;
          }
        }
        __syncthreads();
      }

      // Epilogue: compute on the last tile.
      compute_tile(stage);
    }
  }

  if (i < m)
    pot[i] = sum;
}

void gaussTransform(const float2* src, int n, const float* dst, float* pot, int m, float h, int threads)
{
  cudaFuncSetAttribute(gauss_transform, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * ((threads * sizeof(float2) + 127) / 128 * 128) + 1);
  gauss_transform<<<(m + threads - 1) / threads, threads, 2 * ((threads * sizeof(float2) + 127) / 128 * 128) + 1>>>(
      src, n, dst, pot, m, 1.f / (h * h));
}
