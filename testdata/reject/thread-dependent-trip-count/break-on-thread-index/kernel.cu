// The break at the loop's head compares the thread's own element: the last threads of a ragged block leave a tile early.
#define T 128

__global__ void ragged_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k0 = 0;; k0 += T) {
        if (k0 + (int)threadIdx.x >= n)
            break;
        s[threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * s[(j + threadIdx.x) % T];
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
