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

    // pipelinify: ldg-single, 1 stage, source 1c088538
    row = 0;
    if (row < n) {
        for (i = threadIdx.x / 8; i < 8; i += 4)
            for (j = threadIdx.x % 8; j < 8; j += 8)
                s[i][j] = mine[(row + i) * 8 + j];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (row += 8; row < n; row += 8) {
            float s_next[2][1];
            {
                int slot = 0;
                #pragma unroll
                for (i = threadIdx.x / 8; slot < 2 && i < 8; i += 4, ++slot) {
                    {
                        int slot2 = 0;
                        #pragma unroll
                        for (j = threadIdx.x % 8; slot2 < 1 && j < 8; j += 8, ++slot2) {
                            s_next[slot][slot2] = mine[(row + i) * 8 + j];
                        }
                    }
                }
            }
            for (i = 0; i < 8; ++i)
                sum += s[i][threadIdx.x % 8] * (i + 1);
            __syncthreads();
            {
                int slot = 0;
                #pragma unroll
                for (i = threadIdx.x / 8; slot < 2 && i < 8; i += 4, ++slot) {
                    {
                        int slot2 = 0;
                        #pragma unroll
                        for (j = threadIdx.x % 8; slot2 < 1 && j < 8; j += 8, ++slot2) {
                            s[i][j] = s_next[slot][slot2];
                        }
                    }
                }
            }
            __syncthreads();
        }
        for (i = 0; i < 8; ++i)
            sum += s[i][threadIdx.x % 8] * (i + 1);
    }
    o[blockIdx.x * 32 + threadIdx.x] = sum;
    last[blockIdx.x * 32 + threadIdx.x] = row * 10000 + i * 100 + j;
}
