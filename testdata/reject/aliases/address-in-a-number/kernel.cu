// Addresses that go through numbers: what such a pointer points into is not
// known, and the other arm of a condition says nothing of it.

__global__ void smooth0(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log = n > 2 ? (float *)((size_t)from + 256) : to;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        atomicAdd((float *)((size_t)from + 4 * (i * 64 + 64 + t)), sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        atomicExch((float *)(4ull * (i * 64 + 64 + t) + (unsigned long long)from), sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    union {
        size_t number;
        float *pointer;
    } log;
    log.number = (size_t)from + 256;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log.pointer[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth4(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    __shared__ int seen;
    if (t == 0)
        seen = 0;
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        atomicAdd((int *)((size_t)&seen + 0 * (size_t)t), 1);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += seen;
        __syncthreads();
    }
    to[t] = sum;
}
