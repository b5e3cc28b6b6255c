// The helper's counter, which would get another name, is said by a macro.
#define HERE i
template <class F>
__device__ void for_each(int n, F f)
{
    for (int i = threadIdx.x; HERE < n; i += blockDim.x)
        f(i);
}

__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        for_each(64, [&](int j) { s[j] = x[i + j]; });
        __syncthreads();
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
