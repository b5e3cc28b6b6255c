// Blocks draw their pieces of the stream from a counter of the block's own.
__global__ void xor_stream(const uint4 *__restrict__ data, int pieces, int *drawn,
                           uint4 *__restrict__ out)
{
  __shared__ uint4 ring[64];
  int *mine = drawn + blockIdx.x * 64 + threadIdx.x;
  uint4 x = make_uint4(0, 0, 0, 0);

  while (++*mine < pieces) {
    ring[threadIdx.x] = data[*mine * 64 + threadIdx.x];
    __syncthreads();
    const uint4 v = ring[63 - threadIdx.x];
    x.x ^= v.x; x.y ^= v.y; x.z ^= v.z; x.w ^= v.w;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = x;
}
