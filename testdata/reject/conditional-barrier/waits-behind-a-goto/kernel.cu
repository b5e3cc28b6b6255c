// The other half of the block waits at barriers that the half with the loop jumps
// over, or that it jumps to the loop from.
__global__ void jumps_over(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    if (threadIdx.x < 64) {
        for (int k = 0; k < tiles; ++k) {
            tile[threadIdx.x] = x[64 * k + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < 64; ++j)
                sum += tile[j];
            __syncthreads();
        }
        goto done;
    }
    for (int k = 0; k < tiles; ++k) {
        __syncthreads();
        y[128] += 1.0f;
        __syncthreads();
    }
done:
    y[threadIdx.x] = sum;
}

__global__ void jumps_away(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    if (threadIdx.x >= 64)
        goto others;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
    return;
others:
    for (int k = 0; k < tiles; ++k) {
        __syncthreads();
        y[128] += 1.0f;
        __syncthreads();
    }
}
