// What the copy loops count with is not, or not always, where the tile begins.

__global__ void behind(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    int q = 0;
    for (int k = 0; k < n; k += 32, q += 31) {
        for (int i = k + t; i < k + 32; i += 32)
            s[i - q] = x[i];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = sum;
}

__global__ void moved(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; k += 32) {
        int b = k;
        for (int i = b + t; i < k + 32; i += 8) {
            s[i - b] = x[i];
            b -= c[k];
        }
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = sum;
}

__global__ void stride(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0, d = 1; k < n; k += 32, d = 3 - d) {
        for (int i = k + t; i < k + 32; i += d)
            s[i - k] = x[i];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = sum;
}

__global__ void wrapped(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (unsigned k = 0; k < n; k += 32) {
        for (size_t i = k + threadIdx.x; i < k + 32; i += 32)
            s[i - k] = x[i];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = sum;
}

__global__ void narrow(const float *__restrict__ x, const int *__restrict__ c, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; k += 32) {
        for (unsigned char i = k + t; i < k + 32; i += 32)
            s[(i - k) & 31] = x[i];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = sum;
}
