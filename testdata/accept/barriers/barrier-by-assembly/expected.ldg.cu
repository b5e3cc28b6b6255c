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
    __shared__ float xs_stage[2][64];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 8b9b6f12
    int k = 0, k_tile = k, stage = 0;
    if (k < n) {
        xs_stage[0][threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float xs_next = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 64 && k_tile + i < n; ++i)
                sum += a[row * n + k_tile + i] * xs_stage[stage][i];
            k_tile += 64;
            stage ^= 1;
            xs_stage[stage][threadIdx.x] = xs_next;
            __syncthreads();
        }
        for (int i = 0; i < 64 && k_tile + i < n; ++i)
            sum += a[row * n + k_tile + i] * xs_stage[stage][i];
    }
    y[row] = sum;
}
