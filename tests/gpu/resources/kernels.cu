/* Two kernels, of which one spills when it gets 32 registers (-maxrregcount=32). */
template <int N> __global__ void many(const float *in, float *out) {
  float v[N];
  #pragma unroll
  for (int i = 0; i < N; i++) v[i] = in[threadIdx.x + 32 * i];
  #pragma unroll
  for (int r = 0; r < N; r++)
    #pragma unroll
    for (int i = 0; i < N; i++) v[i] = v[i] * v[(i + r) % N] + r;
  #pragma unroll
  for (int i = 0; i < N; i++) out[threadIdx.x + 32 * i] = v[i];
}
template __global__ void many<48>(const float *, float *);
extern "C" __global__ void tile_sum(const float *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
