// The emulator has no 8-bit floats, and says which header it does without.
// pipelinify: launch sums
//   sizes n=0,16,24,80
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#include <cuda_fp8.h>
#define TILE 16
__global__ void sums(const __nv_fp8_e4m3 *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ __nv_fp8_e4m3 s[TILE];
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += float(s[i]) * (i + 1);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
