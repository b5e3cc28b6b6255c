// How many of the converted elements a thread takes depends on the launch: no registers for them can be
// declared. The other tile's copies need none.
#include <cuda_fp16.h>

__global__ void dots(const float *__restrict__ X, const __half *__restrict__ Y, float *__restrict__ out, int n,
                     int step)
{
    __shared__ float xs[512], ys[512];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 512) {
        for (int i = threadIdx.x; i < 512; i += step)
            xs[i] = X[k0 + i];
        for (int i = threadIdx.x; i < 512; i += step)
            ys[i] = __half2float(Y[k0 + i]);
        __syncthreads();
        for (int k = 0; k < 512; ++k)
            acc += xs[k] * ys[(k + threadIdx.x) % 512];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
