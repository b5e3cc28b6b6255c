// Threads beyond the last row leave; what they zeroed is read by the others.
__global__ void rows_left(const float *__restrict__ a, float *__restrict__ out, int rows, int n)
{
    __shared__ float s[64];
    const int row = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = 0.0f;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = a[k * rows + row];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[row] = sum;
}

// The other cells keep what was put there before the loop.
__global__ void every_other(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x % 2) s[threadIdx.x] = a[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The index has moved on when the loop begins.
__global__ void moved_on(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[65];
    int at = threadIdx.x + 1;
    s[at] = 1.0f;
    at -= 1;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        s[at] = a[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 65; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
