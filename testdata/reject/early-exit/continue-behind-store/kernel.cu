// The tile is stored before the continue asks whether it is wanted.
#define T 64

__global__ void stores_first(const float *__restrict__ x, const int *__restrict__ mask,
                             float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * T + threadIdx.x];
        if (mask[t] == 0)
            continue;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
