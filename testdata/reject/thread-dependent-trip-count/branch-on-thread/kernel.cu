// The whole body stands in a branch that only some threads take, barriers and all.
#define T 64

__global__ void half_block(const float *__restrict__ x, float *__restrict__ y, int n, int rows)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k0 = 0; k0 < n; k0 += T) {
        if (threadIdx.x + k0 < rows) {
            s[threadIdx.x] = x[k0 + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[j];
            __syncthreads();
        }
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
