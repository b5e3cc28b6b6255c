__global__ void ring(const float *g, float *o, int n)
{
    __shared__ float s[3][64];
    float sum = 0;
    s[0][threadIdx.x] = g[threadIdx.x];
    s[1][threadIdx.x] = g[64 + threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        if (t + 2 < n)
            s[(t + 2) % 3][threadIdx.x] = g[(t + 2) * 64 + threadIdx.x];
        for (int i = 0; i < 64; ++i)
            sum += s[t % 3][i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

__global__ void two(const float *g, float *o, int n)
{
    __shared__ float s[2][64];
    float sum = 0;
    s[0][threadIdx.x] = g[threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        if (t + 1 < n)
            s[(t + 1) & 1][threadIdx.x] = g[(t + 1) * 64 + threadIdx.x];
        for (int i = 0; i < 64; ++i)
            sum += s[t & 1][i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

__global__ void by_registers(const float *g, float *o, int n)
{
    __shared__ float s[2][64];
    float sum = 0;
    int now = 0;
    s[0][threadIdx.x] = g[threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        float next = 0;
        if (t + 1 < n)
            next = g[(t + 1) * 64 + threadIdx.x];
        for (int i = 0; i < 64; ++i)
            sum += s[now][i] * i;
        if (t + 1 < n)
            s[now ^ 1][threadIdx.x] = next;
        __syncthreads();
        now ^= 1;
    }
    o[threadIdx.x] = sum;
}

__global__ void used_behind(const float *g, float *o, int n)
{
    __shared__ float s[2][64];
    float sum = 0;
    s[0][threadIdx.x] = g[threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        if (t + 1 < n)
            s[(t + 1) & 1][threadIdx.x] = g[(t + 1) * 64 + threadIdx.x];
        for (int i = 0; i < 64; ++i)
            sum += s[t & 1][i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum + s[0][63 - threadIdx.x];
}
