template <class T, unsigned BLOCK>
__global__ void block_max(const T *__restrict__ x, T *__restrict__ blockMax, unsigned n)
{
  __shared__ T sdata[BLOCK];
  const unsigned tid = threadIdx.x;
  T m = x[0];
  for (unsigned i = blockIdx.x * BLOCK + tid; i < n; i += gridDim.x * BLOCK)
    m = x[i] > m ? x[i] : m;
  sdata[tid] = m;
  __syncthreads();

  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s && sdata[tid + s] > sdata[tid])
      sdata[tid] = sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) blockMax[blockIdx.x] = sdata[0];
}

template __global__ void block_max<float, 256u>(const float *, float *, unsigned);
template __global__ void block_max<int, 128u>(const int *, int *, unsigned);
