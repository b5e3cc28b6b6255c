#include <cuda_runtime.h>

#define W 32

// Puts a chunk into the half of the window that is its turn.
__device__ void load_half(float *dst, const float *src, int chunk)
{
    if (chunk & 1)
        dst += W;
    dst[threadIdx.x] = src[threadIdx.x];
}

// Every chunk is compared with the one before it, which is still in the other
// half: two buffers would show the one before that.
//
// pipelinify: launch lagged_products
//   sizes n=0,32,64,96,160
//   target n=65536
//   block 32
//   x:   in  [n + 1]
//   out: out [32]
//   n:   n
__global__ void lagged_products(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float window[2 * W];
    float sum = 0.f;
    for (int t = 0; t < n / W; ++t) {
        load_half(window, x + t * W, t);
        __syncthreads();
        if (t > 0)
            for (int i = 0; i < W; ++i)
                sum += window[i] * window[W + (i ^ threadIdx.x)];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
