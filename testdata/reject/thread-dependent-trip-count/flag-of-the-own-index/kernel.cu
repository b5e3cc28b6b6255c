// A flag says whether the thread has more.
#include <cuda_runtime.h>

__global__ void gather(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile[64];
    const int x = threadIdx.x;
    float s = 0.0f;
    int i = x;
    bool more = i < n;
    while (more) {
        tile[x] = a[i];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        __syncthreads();
        i += 64;
        more = i < n;
    }
    out[x] = s;
}
