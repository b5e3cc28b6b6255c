__global__ void steps(const short *__restrict__ in, float *__restrict__ out, int tiles, int stride)
{
    __shared__ float s[1024], r[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64)
            r[threadIdx.x] = in[t * 64 + threadIdx.x];
        for (int i = threadIdx.x; i < 1024; i += stride)
            s[i] = in[t * 1024 + i];
        __syncthreads();
        for (int i = 0; i < 1024; ++i)
            sum += s[i] * r[i % 64];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void halves(const short *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float s[1024];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        for (int i = 512 + threadIdx.x; i > 0; i /= 2)
            s[i] = in[t * 1024 + i];
        __syncthreads();
        for (int i = 0; i < 1024; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
