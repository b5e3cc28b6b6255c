// A zero, and a load under a guard, that are not of one cell, or not behind each other: asynchronous
// copies might land before the zero is stored.
#define TILE 64

__global__ void next_cell(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[TILE + 1];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        s[t + 1] = 0.0f;
        if (k + t < n)
            s[t] = x[k + t];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void index_moves_between(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[TILE];
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        int t = threadIdx.x;
        s[t] = 0.0f;
        t = TILE - 1 - t;
        if (k + t < n)
            s[t] = x[k + t];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void load_before_zero(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[TILE];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        s[t] = x[k + t];
        if (k + t >= n)
            s[t] = 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i];
        __syncthreads();
    }
    out[t] = sum;
}
