// Barriers that are missing, and one that some threads may not come to.
__global__ void refilled_too_soon(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float xs[128];
    float acc = 0;
    for (int j = 0; j < n; j += 128) {
        xs[threadIdx.x] = x[j + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            acc += A[j + k] * xs[k];
    }
    y[threadIdx.x] = acc;
}

__global__ void used_too_soon(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float xs[128];
    float acc = 0;
    for (int j = 0; j < n; j += 128) {
        xs[threadIdx.x] = x[j + threadIdx.x];
        acc += xs[127 - threadIdx.x];
        __syncthreads();
        acc += xs[threadIdx.x ^ 1];
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}

__global__ void rows_that_are_there(const float *__restrict__ x, float *__restrict__ y, int n, int rows)
{
    __shared__ float xs[128];
    float acc = 0;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    for (int j = 0; j < n; j += 128) {
        if (row < rows) {
            xs[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < 128; ++k)
                acc += xs[k];
            __syncthreads();
        }
    }
    y[threadIdx.x] = acc;
}
