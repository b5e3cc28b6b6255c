// What one thread hands to another: by a barrier, and otherwise.
// pipelinify: launch relay
//   sizes  n=1,3
//   grid   n
//   block  64
//   in:    in  [n * 64]
//   out:   out [n * 64]
__global__ void relay(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x, at = blockIdx.x * 64;
  s[t] = in[at + t];
  __syncthreads();
  out[at + t] = s[t ^ 32] + s[t ^ 1];
}
__global__ void relay_named(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x, at = blockIdx.x * 64;
  s[t] = in[at + t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[at + t] = s[t ^ 32] + s[t ^ 1];
}
// Each warp by itself is enough for the barrier.
__global__ void relay_halves(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x, at = blockIdx.x * 64;
  s[t] = in[at + t];
  asm volatile("bar.sync 1, 32;" ::: "memory");
  out[at + t] = s[t ^ 32] + s[t ^ 1];
}
__global__ void relay_global(const float *in, float *out) {
  const int t = threadIdx.x, at = blockIdx.x * 64;
  out[at + t] = in[at + t];
  __syncthreads();
  const float sum = out[at + (t ^ 32)] + out[at + (t ^ 1)];
  __syncthreads();
  out[at + t] = sum;
}
// That cache may hold what was there before.
__global__ void relay_cached(const float *in, float *out) {
  const int t = threadIdx.x, at = blockIdx.x * 64;
  out[at + t] = in[at + t];
  __syncthreads();
  const float sum = __ldg(out + at + (t ^ 32)) + __ldg(out + at + (t ^ 1));
  __syncthreads();
  out[at + t] = sum;
}
__global__ void relay_assembled(const float *in, float *out) {
  const int t = threadIdx.x, at = blockIdx.x * 64;
  float a, b;
  out[at + t] = in[at + t];
  __syncthreads();
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(a) : "l"(out + at + (t ^ 32)));
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(b) : "l"(out + at + (t ^ 1)));
  __syncthreads();
  out[at + t] = a + b;
}
