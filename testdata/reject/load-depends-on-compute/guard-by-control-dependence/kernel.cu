// Whether the next tile is read at all is decided by a branch on the result, which sets a flag.
__global__ void until_full(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    bool open = true;
    for (int i = 0; i < n; i += 64) {
        if (open)
            tile[threadIdx.x] = x[i + threadIdx.x];
        else
            tile[threadIdx.x] = 1.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        if (sum > 3.0f)
            open = false;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The offset is set behind a && and a comma.
__global__ void skewed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int offset = 0;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + offset + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        (sum > 1.0f) && (offset = 3, true);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A budget that an inner loop of the compute part uses up.
__global__ void budgeted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int left = 100;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = left > 0 ? x[i + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            if (tile[k] > 0.5f && left > 0)
                --left;
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum + left;
}
