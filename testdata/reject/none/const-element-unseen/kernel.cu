// No instantiation in sight: the element may be const, and is held under its own name without.
#include <cuda_runtime.h>

template <class V>
__global__ void any(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = float(x[t * 64 + threadIdx.x]) + 1.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
