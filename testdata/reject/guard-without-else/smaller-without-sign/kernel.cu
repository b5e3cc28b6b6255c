// Beyond n, what is left is a negative number, and without a sign a large one: all
// cells are read, which an earlier tile has filled.
__global__ void by_call(const float *__restrict__ x, float *__restrict__ y, int total, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x;
    float sum = 0;
    for (int at = 0; at < total; at += 32) {
        if (at + t < n)
            s[t] = x[at + t];
        __syncthreads();
        const int stop = min(32u, n - at);
        for (int j = 0; j < stop; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void by_choice(const float *__restrict__ x, float *__restrict__ y, int total, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x;
    float sum = 0;
    for (int at = 0; at < total; at += 32) {
        if (at + t < n)
            s[t] = x[at + t];
        __syncthreads();
        const int stop = n - at < 32u ? n - at : 32u;
        for (int j = 0; j < stop; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// As it has to be.
__global__ void by_sign(const float *__restrict__ x, float *__restrict__ y, int total, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x;
    float sum = 0;
    for (int at = 0; at < total; at += 32) {
        if (at + t < n)
            s[t] = x[at + t];
        __syncthreads();
        const int stop = min(32, n - at);
        for (int j = 0; j < stop; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
