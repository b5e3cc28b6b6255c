// The kernel stores what the tile loop loads: the copy engine need not see that.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) rescaled(float *__restrict__ work, const float *__restrict__ in,
                                                float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    for (int i = threadIdx.x; i < n; i += 256)
        work[blockIdx.x * n + i] = in[i] * 0.5f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < n; k += 256) {
        tile[threadIdx.x] = work[blockIdx.x * n + k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += tile[(i + threadIdx.x) % 256] * tile[i];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
