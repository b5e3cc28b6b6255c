// A function with a tile of its own is called twice, and some threads are gone by the second time.
#include <cuda_runtime.h>

__device__ float weigh(const float *__restrict__ a, int n)
{
    __shared__ float part[64];
    float s = 0.0f;
    // pipelinify: ldg-single, 1 stage, source f6deaf65
    int t = 0;
    if (t < n) {
        part[threadIdx.x] = a[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float part_next = a[t * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                s += part[k] * (k + 1);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            s += part[k] * (k + 1);
        __syncthreads();
    }
    return s;
}

// pipelinify: launch twice
//   sizes  keep=1,33,64 n=1,2,5
//   target keep=64 n=4096
//   grid   1
//   block  64
//   keep:  keep
//   n:     n
//   a:     in  [n * 128] random
//   out:   out [64]
__global__ void twice(int keep, int n, const float *__restrict__ a, float *__restrict__ out)
{
    float s = weigh(a, n);
    out[threadIdx.x] = s;
    if (threadIdx.x >= keep)
        return;
    out[threadIdx.x] = s - weigh(a + n * 64, n);
}
