// The condition makes a variable, which is the count of what is left.
__global__ void countdown(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float acc = 0.0f;
    int todo = n / 64;
    while (int left = todo) {
        tile[threadIdx.x] = x[(left - 1) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc = acc * 0.5f + tile[k];
        __syncthreads();
        --todo;
    }
    y[threadIdx.x] = acc;
}

// A list of offsets, walked by a range loop.
__global__ void over_offsets(const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float tile[64];
    const int offsets[4] = {0, 192, 64, 128};
    float acc = 0.0f;
    for (int offset : offsets) {
        tile[threadIdx.x] = x[offset + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc = acc * 0.5f + tile[k];
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}
