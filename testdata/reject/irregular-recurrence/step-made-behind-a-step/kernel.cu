// The amount of a step is worked out from what another step behind the loads has
// moved already.
__global__ void bursts(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x;
    float acc = 0.f;
    int at = 0, left = n;
    while (left > 0) {
        s[t] = at + t < n ? x[at + t] : 0.f;
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            acc += s[j] * (j ^ t);
        __syncthreads();
        left -= 32;
        const int m = min(left, 8);
        at += m;
    }
    y[blockIdx.x * 32 + t] = acc;
}

// Ahead of both steps it hinders nothing.
__global__ void bursts_ahead(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x;
    float acc = 0.f;
    int at = 0, left = n;
    while (left > 0) {
        s[t] = at + t < n ? x[at + t] : 0.f;
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            acc += s[j] * (j ^ t);
        __syncthreads();
        const int m = min(left - 32, 8);
        left -= 32;
        at += m;
    }
    y[blockIdx.x * 32 + t] = acc;
}
