// `i` starts at the thread's own index and `n` is not rounded up: threads leave
// the loop at different times.
__global__ void block_moments(const float *__restrict__ x, float2 *__restrict__ m,
                              int n)
{
    __shared__ float s[256];
    float first = 0.0f, second = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        const float v = s[threadIdx.x ^ 1];
        first += v;
        second += v * s[threadIdx.x];
        __syncthreads();
    }
    m[blockIdx.x * 256 + threadIdx.x] = make_float2(first, second);
}
