// A break asks for the index of the thread's own.
#include <cuda_runtime.h>

__global__ void gather(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    for (int i = x;; i += 64) {
        if (i >= n)
            break;
        tile[x] = a[i];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
    }
    out[x] = s;
}
