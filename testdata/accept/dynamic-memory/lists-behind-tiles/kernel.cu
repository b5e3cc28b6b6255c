// Lists of chosen rows lie behind the tiles in one block of dynamic shared memory, as long as
// the run says: attention to the keys that a cluster has chosen, and sums of the columns that a
// mask leaves. What the loads read of a list is no part of a tile, however the block is launched.
#include <cuda_runtime.h>

#define DEPTH 8
#define WIDTH 32

// pipelinify: launch chosen_values
//   sizes    most=16 keys=9 width=33
//   sizes    most=7 keys=20 width=64
//   target   most=256 keys=4096 width=128
//   grid     3, (width + 31) / 32
//   block    64
//   smem     4 * (2 * 8 * 32 + most)
//   weights: in  [3 * most * 32] below(9)
//   values:  in  [keys * width] below(9)
//   counts:  in  [3] below(most + 1)
//   chosen:  in  [3 * most] below(keys)
//   out:     out [3 * ((width + 31) / 32) * 64]
//   most:    most
//   width:   width
__global__ void chosen_values(const float *__restrict__ weights, const float *__restrict__ values,
                              const int *__restrict__ counts, const int *__restrict__ chosen,
                              float *__restrict__ out, int most, int width) {
  extern __shared__ float pool[];
  float *score = pool;
  float *value = score + DEPTH * WIDTH;
  int *list = (int *)(value + DEPTH * WIDTH);

  const int cluster = blockIdx.x, n = counts[cluster];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    list[i] = chosen[cluster * most + i];
  __syncthreads();

  const int lane = threadIdx.x % WIDTH, warp = threadIdx.x / WIDTH;
  float acc = 0.0f;
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = threadIdx.x; i < DEPTH * WIDTH; i += blockDim.x) {
      const int key = first + i / WIDTH, column = blockIdx.y * WIDTH + i % WIDTH;
      score[i] = key < n ? weights[(cluster * most + key) * WIDTH + i % WIDTH] : 0.0f;
      value[i] = key < n && column < width ? values[list[key] * width + column] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; ++k)
      acc += score[k * WIDTH + (lane + warp) % WIDTH] * value[k * WIDTH + lane];
    __syncthreads();
  }
  out[(blockIdx.y * gridDim.x + cluster) * blockDim.x + threadIdx.x] = acc;
}

// pipelinify: launch sums_of_columns
//   sizes    columns=12 rows=0,1,15,16,17,40
//   sizes    columns=31 rows=50
//   target   columns=512 rows=65536
//   grid     2
//   block    32
//   smem     4 * 16 * 32 + 2 * columns
//   x:       in  [2 * rows * columns]
//   order:   in  [columns] below(columns)
//   out:     out [64]
//   rows:    rows
//   columns: columns
__global__ void __launch_bounds__(32)
    sums_of_columns(const float *__restrict__ x, const short *__restrict__ order,
                    float *__restrict__ out, int rows, int columns) {
  extern __shared__ __align__(16) unsigned char memory[];
  float *tile = reinterpret_cast<float *>(memory);
  short *places = reinterpret_cast<short *>(memory + 16 * 32 * sizeof(float));
  for (int i = threadIdx.x; i < columns; i += 32)
    places[i] = order[i];
  __syncwarp();
  __syncthreads();
  float sum = 0.0f;
  for (int first = 0; first < rows; first += 16) {
#pragma unroll
    for (int r = 0; r < 16; ++r) {
      float v = 0.0f;
      if (first + r < rows && threadIdx.x < columns)
        v = x[(blockIdx.x * rows + first + r) * columns + places[threadIdx.x]];
      tile[r * 32 + threadIdx.x] = v;
    }
    __syncthreads();
    for (int r = 0; r < 16; ++r)
      sum += tile[r * 32 + (threadIdx.x + r) % 32] * (float)(r + 1);
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
