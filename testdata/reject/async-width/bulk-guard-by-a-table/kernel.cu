// Which elements are copied a table says for each: no row is known to be whole.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) masked(const float *__restrict__ a, const int *__restrict__ keep,
                                              float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (int k = 0; k < n; k += 256) {
        tile[threadIdx.x] = keep[k + threadIdx.x] ? a[k + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += tile[i] * tile[(i + threadIdx.x) % 256];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
