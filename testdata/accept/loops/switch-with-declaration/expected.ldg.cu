// A switch whose header declares what it switches on: its breaks are its own.
#include <cuda_runtime.h>

// pipelinify: launch weigh
//   sizes  tiles=0,1,2,3,5,8 blocks=1,3
//   target tiles=128 blocks=512
//   grid   blocks
//   block  64
//   from:  in  [blocks * tiles * 64] random
//   to:    out [blocks * 64]
//   tiles: tiles
__global__ void weigh(const float *__restrict__ from, float *__restrict__ to, int tiles) {
  __shared__ float row_stage[2][64];
  int t = threadIdx.x;
  float sum = 0.0f;
  // pipelinify: ldg, 2 stages, source 431c4114
  {
    int i = 0, i_tile = i, stage = 0;
    if (i < tiles) {
      row_stage[0][t] = from[(blockIdx.x * tiles + i) * 64 + t];
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (++i; i < tiles; ++i) {
        float row_next = from[(blockIdx.x * tiles + i) * 64 + t];
        {
          auto &row = row_stage[stage];
          auto &i = i_tile;
          switch (int part = (t + i) & 3) {
          case 0:
            sum += row[t ^ 1];
            break;
          case 1:
            sum -= row[63 - t];
            break;
          default:
            sum += part * row[t];
          }
          ++i;
        }
        stage ^= 1;
        row_stage[stage][t] = row_next;
        __syncthreads();
      }
      {
        auto &row = row_stage[stage];
        auto &i = i_tile;
        switch (int part = (t + i) & 3) {
        case 0:
          sum += row[t ^ 1];
          break;
        case 1:
          sum -= row[63 - t];
          break;
        default:
          sum += part * row[t];
        }
      }
    }
  }
  to[blockIdx.x * 64 + t] = sum;
}
