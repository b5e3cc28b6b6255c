// A continue stands behind the last barrier; in the second kernel a break asks a local of the body.
#define T 64

__global__ void between(const float *__restrict__ x, const int *__restrict__ mask,
                        float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        __syncthreads();
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        if (mask[t] == 0)
            continue;
        for (int j = 0; j < T; ++j)
            sum += s[j];
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

__global__ void asks_local(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int t = 0;
    while (true) {
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        ++t;
        const bool done = t == tiles;
        if (done) break;
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
