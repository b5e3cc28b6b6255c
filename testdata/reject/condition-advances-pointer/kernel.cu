// The test itself moves the read pointer on.
__global__ void xor_stream(const uint4 *__restrict__ data, const uint4 *__restrict__ end,
                           uint4 *__restrict__ out)
{
  __shared__ uint4 ring[64];
  const uint4 *cur = data - 64;
  uint4 x = make_uint4(0, 0, 0, 0);

  while ((cur += 64) < end) {
    ring[threadIdx.x] = cur[threadIdx.x];
    __syncthreads();
    const uint4 v = ring[63 - threadIdx.x];
    x.x ^= v.x; x.y ^= v.y; x.z ^= v.z; x.w ^= v.w;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = x;
}
