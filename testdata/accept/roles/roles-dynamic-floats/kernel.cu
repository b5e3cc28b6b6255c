// A tile in dynamic shared memory: its launch gets more bytes and more threads; copies are joined to wide ones.
#include <cuda_runtime.h>

// pipelinify: launch weigh
//   sizes  tiles=1,2,5 blocks=2
//   target tiles=256 blocks=2112
//   grid   blocks
//   block  64
//   smem   1024
//   x:     in  [blocks * tiles * 256]
//   w:     in  [256]
//   out:   out [blocks * 64]
//   tiles: tiles
__global__ __launch_bounds__(64, 4) void weigh(const float *__restrict__ x, const float *__restrict__ w,
                                               float *__restrict__ out, int tiles)
{
    extern __shared__ float tile[];
    float sum = 0.f, weights[4];
    for (int i = 0; i < 4; ++i)
        weights[i] = w[i * 64 + threadIdx.x];
    for (int k = 0; k < tiles; ++k) {
        for (int i = threadIdx.x; i < 256; i += 64)
            tile[i] = x[(blockIdx.x * tiles + k) * 256 + i];
        __syncthreads();
        for (int i = 0; i < 4; ++i)
            sum += weights[i] * tile[i * 64 + 63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, const float *w, float *out, int tiles, int blocks)
{
    const unsigned bytes = 256 * sizeof(float);
    weigh<<<blocks, dim3(64), bytes>>>(x, w, out, tiles);
}
