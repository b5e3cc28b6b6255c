// Where the rows begin is read from memory, and may be negative for all that is
// known: with threadIdx.x added to it the guard compares without signs, and the
// loop that reads does not.
__global__ void by_thread(const int *__restrict__ rows, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[32];
    const int begin = rows[blockIdx.x], end = rows[blockIdx.x + 1];
    float sum = 0;
    for (int at = begin; at < end; at += 32) {
        if (at + threadIdx.x < end)
            s[threadIdx.x] = x[at + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32 && at + k < end; ++k)
            sum += s[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// As it has to be.
__global__ void by_number(const int *__restrict__ rows, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[32];
    const int begin = rows[blockIdx.x], end = rows[blockIdx.x + 1];
    const int t = threadIdx.x;
    float sum = 0;
    for (int at = begin; at < end; at += 32) {
        if (at + t < end)
            s[t] = x[at + t];
        __syncthreads();
        for (int k = 0; k < 32 && at + k < end; ++k)
            sum += s[k] * (k ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
