#include <cuda_runtime.h>

// How much of the next tile is loaded is known once this one was summed; the count
// goes by a second name, in braces.
__global__ void sum_while_positive(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    float sum = 0.f;
    int width = 32;

    for (int base = 0; base < n; base += 32) {
        const int i = base + threadIdx.x;
        tile[threadIdx.x] = i < n && threadIdx.x < width ? a[i] : 0.f;
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += tile[j];
        int &next{width};
        next = sum > 0.f ? 32 : 16;
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
