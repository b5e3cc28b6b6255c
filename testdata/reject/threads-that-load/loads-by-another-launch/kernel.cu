// One of the launches goes by a function of the runtime's, whose block is in a variable.
#include <cuda_runtime.h>

__global__ void twice_launched(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, float *out, int n, dim3 block)
{
    void *args[] = {&x, &out, &n};
    twice_launched<<<4, 64>>>(x, out, n);
    cudaLaunchKernel((const void *)twice_launched, dim3(4), block, args, 0, 0);
}
