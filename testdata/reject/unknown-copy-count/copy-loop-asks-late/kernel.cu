// Loops whose tests no count stands for: a step of two may pass zero by, a test
// without signs holds below it, a variable that goes on to other text says more
// than how often it was asked.
__global__ void passes_zero(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float line[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (int p = 8; p != 0; p -= 2)
            line[(p & 7) * 32 + t] = x[k * 256 + (p & 7) * 32 + t];
        __syncthreads();
        s += line[t] * line[64 + 2 * t];
        __syncthreads();
    }
    y[t] = s;
}

__global__ void below_zero(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float line[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (int p = 7; p > 0u; p -= 2) {
            if (p < -7)
                break;
            line[(p & 7) * 32 + t] = x[k * 256 + (p & 7) * 32 + t];
        }
        __syncthreads();
        s += line[t] * line[64 + 2 * t];
        __syncthreads();
    }
    y[t] = s;
}

__global__ void named_behind(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float line[256], edge[32];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        int p = 8;
        while (p-- > 0)
            line[p * 32 + t] = x[k * 256 + p * 32 + t];
        edge[t] = x[k * 256 + p + 1 + t];
        __syncthreads();
        s += line[t] * line[64 + 2 * t] + edge[31 - t];
        __syncthreads();
    }
    y[t] = s;
}

__global__ void behind_the_body(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float line[288];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        int p = 8;
        do
            line[p * 32 + t] = x[k * 288 + p * 32 + t];
        while (p-- > 0);
        __syncthreads();
        s += line[t] * line[64 + 2 * t];
        __syncthreads();
    }
    y[t] = s;
}

// As it has to be.
__global__ void counts(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float line[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        int p = 8;
        while (p-- > 0)
            line[p * 32 + t] = x[k * 256 + p * 32 + t];
        __syncthreads();
        s += line[t] * line[64 + 2 * t];
        __syncthreads();
    }
    y[t] = s;
}
