// The kernel's launch bounds stand in a macro, and would be too small for both layers.
#define BOUNDS __launch_bounds__(64)

__global__ BOUNDS void bounded(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, float *out, int n) { bounded<<<4, 64>>>(x, out, n); }
