// pipelinify: launch k1
//   sizes n=33
//   grid 1
//   block 32
//   x: in [n]
//   y: out [32]
//   n: n
__global__ void k1(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[32];
  float acc = 0.f;
  for (int k = 0; k < n; k += 32) {
    s[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc += s[i];
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
