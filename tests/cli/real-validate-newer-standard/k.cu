template <class T>
concept number = sizeof(T) == 4;

template <number T> __device__ T twice(T value) { return value + value; }

// pipelinify: launch k
//   sizes    tiles=0,1,2,3
//   block    32
//   a:       in  [32 * tiles + 1]
//   c:       out [32]
//   tiles:   tiles
__global__ void k(const float *__restrict__ a, float *__restrict__ c, int tiles) {
  __shared__ float s[32];
  float acc = 0;
  for (int t = 0; t < tiles; ++t) {
    s[threadIdx.x] = a[t * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += twice(s[i]);
    __syncthreads();
  }
  c[threadIdx.x] = acc;
}
