#include <cuda_runtime.h>

// A table of file scope takes its bytes of the kernel that names it: two tiles of 40
// numbers would be more than is left.
__shared__ float table[12240];

__global__ void by_table(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[40];
    const int t = threadIdx.x;
    float s = 0.0f;
    for (int k = 0; k < n; k += 40) {
        tile[t] = x[k + t] * 2.0f;
        __syncthreads();
        for (int i = 0; i < 40; ++i)
            s += tile[i] * i;
        __syncthreads();
    }
    table[t] = s;
    __syncthreads();
    y[t] = table[39 - t];
}
