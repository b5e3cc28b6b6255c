// Every counter is declared at the top, as in C, and serves both phases.
#include <cuda_runtime.h>

// pipelinify: launch colsums
//   sizes  n=0,8,16,24,64
//   target n=65536
//   grid   3
//   block  32
//   a: in  [3 * n * 8] range(-1, 1)
//   o: out [96]
//   last: out [96]
//   n: n
__global__ void colsums(const float *__restrict__ a, float *__restrict__ o, int *__restrict__ last, int n)
{
    __shared__ float s[8][9];
    const float *mine = a + blockIdx.x * n * 8;
    float sum = 0;
    int i = -1, j = -1, row;

    for (row = 0; row < n; row += 8) {
        for (i = threadIdx.x / 8; i < 8; i += 4)
            for (j = threadIdx.x % 8; j < 8; j += 8)
                s[i][j] = mine[(row + i) * 8 + j];
        __syncthreads();
        for (i = 0; i < 8; ++i)
            sum += s[i][threadIdx.x % 8] * (i + 1);
        __syncthreads();
    }
    o[blockIdx.x * 32 + threadIdx.x] = sum;
    last[blockIdx.x * 32 + threadIdx.x] = row * 10000 + i * 100 + j;
}
