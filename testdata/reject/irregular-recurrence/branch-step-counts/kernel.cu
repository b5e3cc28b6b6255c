// Behind the branch around the body stands more than the step to the next tile.
#define T 64

__global__ void counts_all(const float *__restrict__ x, const int *__restrict__ mask,
                           float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f, weight = 1.f;
    for (int t = 0; t < tiles; ++t) {
        if (mask[t]) {
            s[threadIdx.x] = x[t * T + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[j] * weight;
            __syncthreads();
        }
        weight *= 0.5f;
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

__global__ void otherwise(const float *__restrict__ x, const int *__restrict__ mask,
                          float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        if (mask[t]) {
            s[threadIdx.x] = x[t * T + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[j];
            __syncthreads();
        } else {
            sum *= 0.5f;
        }
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
