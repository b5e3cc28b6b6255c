// The instantiation in sight discards the break; the text still has it, and the last
// tile's compute stands behind the loop.
#include <cuda_runtime.h>

template <int MODE>
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        if constexpr (MODE == 2) {
            if (sum > 1000.0f)
                break;
        } else if constexpr (MODE == 1) {
            sum += 1.0f;
        }
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void sums<0>(const float *, float *, int);
