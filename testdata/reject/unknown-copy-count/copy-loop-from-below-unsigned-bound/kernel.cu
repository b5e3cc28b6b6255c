// The second copy loop begins at -1, which is compared with an unsigned number: it
// runs no iteration, and is not one that counts from -1 to 2.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256)
filled_or_not(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[1024];
    const int t = threadIdx.x;
    int below = -1;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (int i = t; i < 1024; i += 256)
            tile[i] = x[k * 1024 + i];
        for (int r = below; r < 2u; ++r)
            tile[(r + 2) * 256 + t] = 7.0f;
        __syncthreads();
        for (int i = 0; i < 1024; ++i)
            sum += tile[i] * (float)(i & t);
        __syncthreads();
    }
    y[t] = sum;
}
