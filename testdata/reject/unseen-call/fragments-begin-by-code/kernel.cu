// A fragment begins as what a function says, which may ask for anything.
#include <cuda_runtime.h>

__device__ float level;
__device__ float begin() { return level; }

struct Fragment {
    float v[4] = {begin()};
};

__global__ void __launch_bounds__(64) sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        Fragment f;
        for (int i = 0; i < 4; ++i)
            f.v[i] += s[(threadIdx.x + i) % 64];
        sum += f.v[0] + f.v[3];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
