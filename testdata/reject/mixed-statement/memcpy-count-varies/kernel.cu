#include <cuda_runtime.h>

// How many bytes a thread copies is for the launch to say: no registers hold them.
__global__ void __launch_bounds__(64)
row_energy(const float *__restrict__ a, float *__restrict__ y, int n, int bytes)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        memcpy(&part[t * 4], a + i + t * 4, bytes);
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[t] = sum;
}

// memset makes nothing that registers would have to hold, but half of a cell's
// bytes would be left as the tile before has them.
__global__ void __launch_bounds__(64)
row_halves(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        if (i + t * 4 < n)
            memcpy(&part[t * 4], a + i + t * 4, 16);
        else
            memset(&part[t * 4], 0, 8);
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            sum += part[k] * part[k ^ t];
        __syncthreads();
    }
    y[t] = sum;
}
