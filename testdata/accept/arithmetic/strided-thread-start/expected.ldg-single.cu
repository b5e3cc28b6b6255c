// Inverse-distance interpolation whose tile loop starts at the thread's own index and runs to a padded count.
#include <cuda_runtime.h>

const int kBlock = 64;

// pipelinify: launch idw
//   sizes  stations=0,1,63,64,65,128,192,256,320,350 cells=64
//   sizes  stations=90 cells=1,100
//   target stations=8192 cells=4194304
//   grid   (cells + 63) / 64
//   block  64
//   station: in  [stations] random
//   height:  in  [stations] random
//   cell:    in  [cells] random
//   value:   out [cells]
//   stations: stations
//   cells:   cells
__global__ void idw(const float2 *__restrict__ station, const float *__restrict__ height,
                    const float2 *__restrict__ cell, float *__restrict__ value,
                    int stations, int cells)
{
  __shared__ float3 near_by[kBlock];

  const int tid = threadIdx.x;
  const int c = blockIdx.x * kBlock + tid;
  const float2 here = c < cells ? cell[c] : make_float2(0.0f, 0.0f);
  float wsum = 1e-20f, vsum = 0.0f;

  const int padded = (stations + kBlock - 1) / kBlock * kBlock;
  // pipelinify: ldg-single, 1 stage, source 1acabb9c
  int s = tid;
  if (s < padded) {
    auto compute_tile = [&]() {
      for (int k = 0; k < kBlock; ++k) {
        const float dx = near_by[k].x - here.x;
        const float dy = near_by[k].y - here.y;
        const float w = 1.0f / (dx * dx + dy * dy + 1e-6f);
        wsum += w;
        vsum += w * near_by[k].z;
      }
    };
    near_by[tid].x = s < stations ? station[s].x : 1e9f;   // far away: hardly any weight
    near_by[tid].y = s < stations ? station[s].y : 1e9f;
    near_by[tid].z = s < stations ? height[s] : 0.0f;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (s += kBlock; s < padded; s += kBlock) {
      float near_by_next = s < stations ? station[s].x : 1e9f;  // far away: hardly any weight
      float near_by_next2 = s < stations ? station[s].y : 1e9f;
      float near_by_next3 = s < stations ? height[s] : 0.0f;
      compute_tile();
      __syncthreads();
      near_by[tid].x = near_by_next;
      near_by[tid].y = near_by_next2;
      near_by[tid].z = near_by_next3;
      __syncthreads();
    }
    compute_tile();
  }

  if (c < cells) value[c] = vsum / wsum;
}
