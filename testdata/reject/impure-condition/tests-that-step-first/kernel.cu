// Tests that step before they ask, and that another side reads, or that do more.
__global__ void asks_of_itself(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1;
    while (++t < tiles - t) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void steps_both(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1, passes = 0;
    while (++t < tiles - passes++) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void old_value(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1;
    while (t++ < tiles) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
