// Matrix-vector product in rows of 512 floats, four at a time: a tile of the row and one of the vector.
#include <cuda_runtime.h>

constexpr int CHUNK = 128; // float4

// pipelinify: launch gemv_rows
//   sizes    rows=2 chunks=0,1,2,3,4,5,7
//   target   rows=264 chunks=512
//   requires rows > 0
//   grid     rows
//   block    64
//   w:       in  [rows * chunks * 128]
//   x:       in  [chunks * 128]
//   y:       out [rows]
//   chunks:  chunks
__global__ void gemv_rows(const float4 *__restrict__ w, const float4 *__restrict__ x, float *__restrict__ y,
                          int chunks) {
  __shared__ float4 row[CHUNK];
  __shared__ float4 part[CHUNK];
  __shared__ float sums[64];
  const float4 *own = w + (size_t)blockIdx.x * chunks * CHUNK;
  float sum = 0.0f;
  for (int c = 0; c < chunks; c++) {
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) {
      row[i] = own[c * CHUNK + i];
      part[i] = x[c * CHUNK + i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
      sum += row[i].x * part[i].x + row[i].y * part[i].y + row[i].z * part[i].z + row[i].w * part[i].w;
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int i = 0; i < 64; i++)
      all += sums[i];
    y[blockIdx.x] = all;
  }
}
