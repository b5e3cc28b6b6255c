// A helper that is told as which type a word is to be touched: with one argument the store is volatile, with the
// other it is not.
template <class As>
__device__ As touch(int &word)
{
    return const_cast<As>(word);
}

__global__ void publish(const float *__restrict__ src, float *__restrict__ dst, int *__restrict__ tick, int n)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[threadIdx.x] = src[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += part[i] * part[(i + threadIdx.x) & 63];
        if (threadIdx.x == 0)
            touch<volatile int &>(*tick) = t;
        __syncthreads();
    }
    dst[threadIdx.x] = sum;
}

__global__ void count(const float *__restrict__ src, float *__restrict__ dst, int *__restrict__ tick, int n)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        part[threadIdx.x] = src[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += part[i] * part[(i + threadIdx.x) & 63];
        if (threadIdx.x == 0)
            touch<int &>(*tick) = t;
        __syncthreads();
    }
    dst[threadIdx.x] = sum;
}
