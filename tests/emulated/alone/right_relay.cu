// expect: 0 clean
// Loader warps and others meet at named barriers, as often as each other.
// pipelinify: launch relay
//   sizes tiles=1,4
//   block 128
//   in:   in  [64 * tiles]
//   out:  out [64 * tiles]
//   tiles: tiles
__device__ __forceinline__ void meet(int id) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(128) : "memory");
}
__global__ void relay(const float *in, float *out, int tiles) {
  __shared__ float tile[64];
  const int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int k = 0; k < tiles; k++) {
      tile[t] = in[64 * k + t];
      meet(1);
      meet(2);
    }
  } else {
    for (int k = 0; k < tiles; k++) {
      meet(1);
      out[64 * k + t] = 2.f * tile[63 - t];
      meet(2);
    }
  }
  __syncthreads();
}
