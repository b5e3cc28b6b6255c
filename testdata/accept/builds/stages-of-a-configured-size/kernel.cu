// The size may be said by the build: stages leave room for a tile of twice the size.
#include <cuda_runtime.h>
#ifndef ROW_BYTES
#define ROW_BYTES 8192
#endif
#define ROW (ROW_BYTES / (int)sizeof(float))

// pipelinify: launch rows
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    128
//   x:       in  [n * 2048]
//   y:       out [128]
//   n:       n
__global__ void __launch_bounds__(128) rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[ROW];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < ROW; i += 128)
            s[i] = x[t * ROW + i];
        __syncthreads();
        for (int k = 0; k < ROW; k += 8)
            sum += s[(k + threadIdx.x) % ROW];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
