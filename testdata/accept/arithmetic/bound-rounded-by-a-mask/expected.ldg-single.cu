// The bound is rounded up to whole tiles by a mask: all threads leave together, though each begins at its own index.
#include <cuda_runtime.h>

// pipelinify: launch masked
//   sizes  n=0,1,31,32,33,100
//   target n=65536
//   grid   1
//   block  32
//   n:     n
//   a:     in  [n + 32] random
//   out:   out [32]
__global__ void __launch_bounds__(32) masked(int n, const float *__restrict__ a, float *__restrict__ out)
{
    __shared__ float tile[32];
    const int last = (n + 31) & ~31;
    float s = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 8e9c7c8a
    int i = threadIdx.x;
    if (i < last) {
        tile[threadIdx.x] = i < n ? a[i] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 32; i < last; i += 32) {
            float tile_next = i < n ? a[i] : 0.0f;
            for (int k = 0; k < 32; ++k)
                s += tile[k] * (k + threadIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 32; ++k)
            s += tile[k] * (k + threadIdx.x);
    }

    out[threadIdx.x] = s;
}
