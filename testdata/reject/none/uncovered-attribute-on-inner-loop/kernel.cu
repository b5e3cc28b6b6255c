template <int BK>
__global__ void tuned_rows(const int *__restrict__ m, const int *__restrict__ v,
                           int *__restrict__ r, int k)
{
  __shared__ int part[BK];
  const int i = blockIdx.x * BK + threadIdx.x;
  int sum = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    part[threadIdx.x] = v[k0 + threadIdx.x];
    __syncthreads();
    [[autotune::unroll(2, 4, 8)]]
    for (int j = 0; j < BK; ++j)
      sum += part[j] * m[i * k + k0 + j];
    __syncthreads();
  }
  r[i] = sum;
}

template __global__ void tuned_rows<32>(const int *, const int *, int *, int);
