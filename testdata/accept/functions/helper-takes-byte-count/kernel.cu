// A load helper whose parameter holds a byte of the count that it is handed.
#include <cuda_runtime.h>

__device__ void stage_rows(float *rows, const float *from, unsigned char fours)
{
    for (int i = threadIdx.x; i < 4 * fours; i += 128)
        rows[i] = from[i];
}

// pipelinify: launch byte_of_a_count
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   a:     in  [tiles * 800] random
//   c:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
byte_of_a_count(const float *__restrict__ a, float *__restrict__ c, int tiles)
{
    __shared__ float rows[800];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        stage_rows(rows, a + k * 800, 456); // 200
        __syncthreads();
        for (int i = 0; i < 800; ++i)
            sum += rows[i] * (float)((i ^ t) & 3);
        __syncthreads();
    }
    c[t] = sum;
}
