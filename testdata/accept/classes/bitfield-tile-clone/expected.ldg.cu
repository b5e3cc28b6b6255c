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

template <int T>
__device__ __forceinline__ auto fill_fetch(float (&dst)[T], const float *__restrict__ src, int base, int n) {
  struct {
    float dst_next;
  } next;
  const int i = base + threadIdx.x;
  if (i < n) {
    next.dst_next = src[i];
  }
  return next;
}

template <int T, typename Registers>
__device__ __forceinline__ void fill_store(float (&dst)[T], int base, int n, float scale, const Registers &next) {
  const int i = base + threadIdx.x;
  if (i < n) {
    dst[threadIdx.x] = next.dst_next * scale;
  } else {
    dst[threadIdx.x] = 0.f;
  }
}

__global__ void packed_sum(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Pack s_stage[2][32];
  __shared__ float r_stage[2][32];
  float acc = 0.f;
  // pipelinify: ldg, 2 stages, source 764d6551
  int k = 0, stage = 0;
  if (k < n) {
    s_stage[0][threadIdx.x].lo = k + threadIdx.x < n ? (unsigned)(x[k + threadIdx.x] * 100.f + 200.f) : 0u;
    s_stage[0][threadIdx.x].hi = k;
    fill<32>(r_stage[0], x, k, n, 0.5f);
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k += 32; k < n; k += 32) {
      unsigned int s_next = k + threadIdx.x < n ? (unsigned)(x[k + threadIdx.x] * 100.f + 200.f) : 0u;
      auto r_next = fill_fetch<32>(r_stage[0], x, k, n);
      for (int i = 0; i < 32; ++i) acc += s_stage[stage][i].lo + 0.5f * s_stage[stage][i].hi - r_stage[stage][i];
      stage ^= 1;
      s_stage[stage][threadIdx.x].lo = s_next;
      s_stage[stage][threadIdx.x].hi = k;
      fill_store<32>(r_stage[stage], k, n, 0.5f, r_next);
      __syncthreads();
    }
    for (int i = 0; i < 32; ++i) acc += s_stage[stage][i].lo + 0.5f * s_stage[stage][i].hi - r_stage[stage][i];
  }
  y[blockIdx.x * 32 + threadIdx.x] = acc;
}
