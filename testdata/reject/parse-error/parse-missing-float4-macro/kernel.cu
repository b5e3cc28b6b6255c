// FETCH_FLOAT4 lives in a header that this file forgot to include: both copies
// are assignments to the result of an unknown function.
constexpr int BM = 64;
constexpr int BK = 16;

__global__ void __launch_bounds__(256)
rowblock_dot(const float *__restrict__ a, const float *__restrict__ x,
             float *__restrict__ y, int K)
{
  __shared__ float sa[BM][BK];
  __shared__ float sx[BK];
  const int t = threadIdx.x;
  const int r = t / 4, c = (t % 4) * 4;
  a += blockIdx.x * BM * K;
  float acc = 0.f;

  for (int kb = 0; kb < K; kb += BK) {
    FETCH_FLOAT4(sa[r][c]) = FETCH_FLOAT4(a[r * K + kb + c]);
    if (t < BK) sx[t] = x[kb + t];
    __syncthreads();
    for (int k = 0; k < 4; ++k)
      acc += sa[r][c + k] * sx[c + k];
    __syncthreads();
  }
  acc += __shfl_xor_sync(0xffffffffu, acc, 1);
  acc += __shfl_xor_sync(0xffffffffu, acc, 2);
  if (c == 0) y[blockIdx.x * BM + r] = acc;
}
