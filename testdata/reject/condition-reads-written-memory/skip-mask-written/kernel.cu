// The mask that passes tiles over is written by the loop itself: directly, and perhaps through another pointer.
#define T 64

__global__ void marks_next(const float *__restrict__ x, int *mask, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        if (mask[t] == 0)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        mask[t + 1] = s[0] > 0.f;
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

__global__ void may_mark(const float *__restrict__ x, const int *mask, int *out, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        if (mask[t]) {
            s[threadIdx.x] = x[t * T + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[j];
            out[t * T + threadIdx.x] = (int)sum;
            __syncthreads();
        }
    }
}

__global__ void named_mark(const float *__restrict__ x, const int *mask, int *out, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        const int wanted = mask[t];
        if (!wanted)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        out[t * T + threadIdx.x] = (int)sum;
        __syncthreads();
    }
}
