// Steps down whose end is not known: by an amount that may be negative, or of a
// variable without a sign, which is never below zero.
__global__ void by_open_amount(const float *__restrict__ x, float *__restrict__ y, int tiles, int d)
{
    __shared__ float level[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (int i = 255 - t; i >= 0; i -= d)
            level[i] = x[k * 256 + i];
        __syncthreads();
        s += level[t] * level[2 * t];
        __syncthreads();
    }
    y[t] = s;
}

__global__ void without_sign(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float level[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (unsigned i = 255 - threadIdx.x; i > 0; i -= 64)
            level[i % 256] = x[k * 256 + i % 256];
        __syncthreads();
        s += level[t] * level[2 * t];
        __syncthreads();
    }
    y[t] = s;
}

// Both step: the header down, the body up again.
__global__ void up_and_down(const float *__restrict__ x, float *__restrict__ y, int tiles, int again)
{
    __shared__ float level[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (int i = 255 - t; i >= 0; i -= 64) {
            if (i == again)
                i += 64;
            level[i] = x[k * 256 + i];
        }
        __syncthreads();
        s += level[t] * level[2 * t];
        __syncthreads();
    }
    y[t] = s;
}
