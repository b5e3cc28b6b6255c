#include <cuda_runtime.h>

#define W 32

// Puts a chunk into the half of the window that is its turn.
__device__ void load_half(float *dst, const float *src, int chunk)
{
    if (chunk & 1)
        dst += W;
    dst[threadIdx.x] = src[threadIdx.x];
}

__device__ auto load_half_fetch(const float *src)
{
    float dst_next = src[threadIdx.x];
    return dst_next;
}

__device__ void load_half_store(float *dst, int chunk, float dst_next)
{
    if (chunk & 1)
        dst += W;
    dst[threadIdx.x] = dst_next;
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
    // pipelinify: ldg-single, 1 stage, source 19f036e3
    int t = 0, t_tile = t;
    if (t < n / W) {
        load_half(window, x + t * W, t);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n / W; ++t) {
            auto window_next = load_half_fetch(x + t * W);
            if (t_tile > 0)
                for (int i = 0; i < W; ++i)
                    sum += window[i] * window[W + (i ^ threadIdx.x)];
            ++t_tile;
            __syncthreads();
            load_half_store(window, t, window_next);
            __syncthreads();
        }
        if (t_tile > 0)
            for (int i = 0; i < W; ++i)
                sum += window[i] * window[W + (i ^ threadIdx.x)];
    }
    out[threadIdx.x] = sum;
}
