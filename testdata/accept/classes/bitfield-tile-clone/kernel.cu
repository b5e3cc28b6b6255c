// Sum of packed samples: a bitfield tile, and a second tile filled by a helper with K&R braces.
// pipelinify: launch packed_sum
//   sizes n=0,1,32,33,64,100,160
//   target n=65536
//   grid 2
//   block 32
//   x: in [n]
//   y: out [64]
//   n: n
struct Pack {
  unsigned lo : 16;
  unsigned hi : 16;
};

template <int T>
__device__ __forceinline__ void fill(float (&dst)[T], const float *__restrict__ src, int base, int n, float scale) {
  const int i = base + threadIdx.x;
  if (i < n) {
    dst[threadIdx.x] = src[i] * scale;
  } else {
    dst[threadIdx.x] = 0.f;
  }
}

__global__ void packed_sum(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Pack s[32];
  __shared__ float r[32];
  float acc = 0.f;
  for (int k = 0; k < n; k += 32) {
    s[threadIdx.x].lo = k + threadIdx.x < n ? (unsigned)(x[k + threadIdx.x] * 100.f + 200.f) : 0u;
    s[threadIdx.x].hi = k;
    fill<32>(r, x, k, n, 0.5f);
    __syncthreads();
    for (int i = 0; i < 32; ++i) acc += s[i].lo + 0.5f * s[i].hi - r[i];
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = acc;
}
