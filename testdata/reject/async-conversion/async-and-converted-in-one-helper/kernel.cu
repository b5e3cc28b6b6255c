// One function fills both tiles and converts on the way to one of them: it goes through registers as a whole,
// and nothing is left to copy asynchronously.
#include <cuda_fp16.h>

__device__ void load(float *xs, float *ys, const float *X, const __half *Y)
{
    xs[threadIdx.x] = X[threadIdx.x];
    ys[threadIdx.x] = __half2float(Y[threadIdx.x]);
}

__global__ void dots(const float *__restrict__ X, const __half *__restrict__ Y, float *__restrict__ out, int n)
{
    __shared__ float xs[128], ys[128];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 128) {
        load(xs, ys, X + k0, Y + k0);
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            acc += xs[k] * ys[(k + threadIdx.x) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
