// The break stands behind the barriers, but two steps follow it; in the second kernel a continue stands between barriers; in the third
// a local of the body is asked.
#define T 64

__global__ void steps_behind(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k0 = 0, rounds = 0;
    while (true) {
        s[threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        if (k0 + T >= n) break;
        k0 += T;
        ++rounds;
    }
    y[blockIdx.x * T + threadIdx.x] = sum + k0 + rounds;
}

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
