// Fast-Gauss-free Gauss transform: the tile is as wide as the block, in dynamic shared memory, guard without else and min() bound.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  // 3 stages: the kernel is trapped where its launch does not give them, and 1 byte more
  unsigned chunk_given;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(chunk_given));
  if (chunk_given % 384 != 1)
    __trap();
  struct chunk_stages {
    float2 *first;
    unsigned bytes;
    __device__ float2 (&operator[](int stage) const)[] {
      return *reinterpret_cast<float2 (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
    }
  };
  const chunk_stages chunk_stage = {chunk, chunk_given / 3};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = i < m ? dst[i] : 0.f;
  float sum = 0.f;

  // pipelinify: cp.async, 3 stages, source b273e0f5
  {
    int j = 0;
    auto j_load = j;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
      if (j_load < n)
      {
        auto &chunk = chunk_stage[load_stage];
        auto &j = j_load;
        if (j + threadIdx.x < n)
        {
          __pipeline_memcpy_async(&chunk[threadIdx.x], &src[j + threadIdx.x], sizeof(float2));
        }
        j += blockDim.x;
      }
      __pipeline_commit();
    };

    // Prologue: start copying the first 2 tiles.
    for (int load_stage = 0; load_stage < 2; ++load_stage)
      copy_tile(load_stage);

    // Main loop: 2 tiles are in flight while computing on one.
    int stage = 0;
    for (; j < n; j += blockDim.x)
    {
      __pipeline_wait_prior(1);
      __syncthreads();
      copy_tile(stage == 0 ? 2 : stage - 1);
      {
        auto &chunk = chunk_stage[stage];
        int stop = min((int)blockDim.x, n - j);
        for (int k = 0; k < stop; ++k)
        {
          float d = chunk[k].x - at;
          sum += chunk[k].y * __expf(-d * d * inv_h2);
        }
      }
      stage = stage == 2 ? 0 : stage + 1;
    }

    // Epilogue: every copy has landed.
    __pipeline_wait_prior(0);
  }

  if (i < m)
    pot[i] = sum;
}

void gaussTransform(const float2* src, int n, const float* dst, float* pot, int m, float h, int threads)
{
  cudaFuncSetAttribute(gauss_transform, cudaFuncAttributeMaxDynamicSharedMemorySize, 3 * ((threads * sizeof(float2) + 127) / 128 * 128) + 1);
  gauss_transform<<<(m + threads - 1) / threads, threads, 3 * ((threads * sizeof(float2) + 127) / 128 * 128) + 1>>>(
      src, n, dst, pot, m, 1.f / (h * h));
}
