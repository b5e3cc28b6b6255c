// Tiles are counted before the continue, so those that are passed over count, too.
#define T 64

__global__ void visited(const float *__restrict__ x, const int *__restrict__ mask,
                        float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int seen = 0;
    for (int t = 0; t < tiles; ++t) {
        seen += t;
        if (mask[t] == 0)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * seen;
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
