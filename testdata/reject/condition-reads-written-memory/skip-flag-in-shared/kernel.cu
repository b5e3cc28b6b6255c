// One thread decides for the block whether the next tile is wanted, from what it has seen of this one.
#define T 64

__global__ void flagged(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    __shared__ int skip;
    float sum = 0.f;
    if (threadIdx.x == 0)
        skip = 0;
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (skip == t)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        if (threadIdx.x == 0)
            skip = s[0] > s[1] ? t + 1 : -1;
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
