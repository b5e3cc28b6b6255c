// Products of vectors, a tile at a time; static shared memory.
#define LEN 64
// pipelinify: launch dots
//   sizes rows=1,3 tiles=0,1,2,3,7
//   grid  rows
//   block LEN
//   let   LEN = 64
//   a:    in  [rows * tiles * LEN]
//   b:    in  [rows * tiles * LEN]
//   out:  out [rows]
//   tiles: tiles
__global__ void dots(const float *a, const float *b, float *out, int tiles) {
  __shared__ float as[LEN], bs[LEN];
  float sum = 0;
  a += (size_t)blockIdx.x * tiles * LEN;
  b += (size_t)blockIdx.x * tiles * LEN;
  for (int k = 0; k < tiles; k++) {
    as[threadIdx.x] = a[k * LEN + threadIdx.x];
    bs[threadIdx.x] = b[k * LEN + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < LEN; i++)
        sum += as[i] * bs[i];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
