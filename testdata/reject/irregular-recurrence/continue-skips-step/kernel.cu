// The continue jumps over ++t: a tile without work would be asked for ever.
#define T 64

__global__ void stuck(const float *__restrict__ x, const int *__restrict__ mask,
                      float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int t = 0;
    while (t < tiles) {
        if (mask[t] == 0)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        ++t;
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

__global__ void stuck_by_name(const float *__restrict__ x, const int *__restrict__ mask,
                              float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int t = 0;
    while (t < tiles) {
        const int wanted = mask[t];
        if (!wanted) continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        ++t;
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
