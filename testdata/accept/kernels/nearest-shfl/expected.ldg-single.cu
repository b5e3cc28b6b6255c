// Top-1 nearest neighbour: a warp per query, lanes split each tile of points, shuffles pick the winner after the loop.
#include <cuda_runtime.h>
#include <cfloat>

#define FULL_MASK 0xffffffff

// pipelinify: launch nearest_point
//   sizes  nq=4 np=0,1,127,128,129,256,384,512,640,700
//   sizes  nq=7 np=200
//   target nq=65536 np=65536
//   grid   (nq + 3) / 4
//   block  128
//   queries: in  [nq] random
//   points:  in  [np] random
//   best_id: out [nq]
//   best_d2: out [nq]
//   nq:      nq
//   np:      np
__global__ void nearest_point(const float2* queries, const float2* points,
                              int* best_id, float* best_d2, int nq, int np)
{
  __shared__ float2 tile[128];

  int warp = threadIdx.x / 32;
  int lane = threadIdx.x & 31;
  int q = blockIdx.x * (blockDim.x / 32) + warp;
  float2 me = q < nq ? queries[q] : make_float2(0.f, 0.f);

  float d_min = FLT_MAX;
  int id_min = -1;

  // pipelinify: ldg-single, 1 stage, source b1927e33
  int t0 = 0, t0_tile = t0;
  if (t0 < np) {
    auto compute_tile = [&]() {
      for (int k = lane; k < 128; k += 32) {
        float dx = tile[k].x - me.x;
        float dy = tile[k].y - me.y;
        float d = dx * dx + dy * dy;
        if (d < d_min) {
          d_min = d;
          id_min = t0_tile + k;
        }
      }
    };
    {
      int src = t0 + threadIdx.x;
      tile[threadIdx.x] = src < np ? points[src] : make_float2(FLT_MAX, FLT_MAX);
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (t0 += 128; t0 < np; t0 += 128) {
      int src = t0 + threadIdx.x;
      float2 tile_next = src < np ? points[src] : make_float2(FLT_MAX, FLT_MAX);
      compute_tile();
      t0_tile += 128;
      __syncthreads();
      tile[threadIdx.x] = tile_next;
      __syncthreads();
    }
    compute_tile();
  }

  for (int off = 16; off > 0; off >>= 1) {
    float d = __shfl_down_sync(FULL_MASK, d_min, off);
    int id = __shfl_down_sync(FULL_MASK, id_min, off);
    if (d < d_min || (d == d_min && id < id_min)) {
      d_min = d;
      id_min = id;
    }
  }

  if (lane == 0 && q < nq) {
    best_id[q] = id_min;
    best_d2[q] = d_min;
  }
}
