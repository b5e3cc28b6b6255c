// Waits by the instruction that __syncthreads() is.
#include <cuda_runtime.h>

// pipelinify: launch matvec
//   sizes    n=0,1,63,64,65,200
//   target   n=4096
//   grid     2
//   block    64
//   a:       in  [2 * 64 * n + 1]
//   x:       in  [n + 1]
//   y:       out [2 * 64]
//   n:       n
__global__ void matvec(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y,
                       int n)
{
    __shared__ float xs[64];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        xs[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        asm volatile("bar.sync 0;" ::: "memory");
        for (int i = 0; i < 64 && k + i < n; ++i)
            sum += a[row * n + k + i] * xs[i];
        asm volatile("barrier.sync.aligned 0;\n" ::: "memory");
    }
    y[row] = sum;
}
