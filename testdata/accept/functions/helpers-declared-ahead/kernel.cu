// Helpers that are declared at the top of the file, one without names and twice, and
// defined ahead of the kernel: what they are split into stands behind the definitions.
#include <cuda_runtime.h>

__device__ __forceinline__ void fill(float (*)[16], const float *, int, int, int);
__device__ __forceinline__ void fill(float (*t)[16], const float *from, int pitch, int row, int col);
template <int W>
__device__ void fill_row(float *row, const float *from, int count);

__device__ __forceinline__ void fill(float (*tile)[16], const float *from, int pitch, int row, int col)
{
    tile[threadIdx.y][threadIdx.x] = from[(row + threadIdx.y) * pitch + col + threadIdx.x];
}

template <int W>
__device__ void fill_row(float *row, const float *from, int count)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = (int)threadIdx.x < count ? from[threadIdx.x] : 0.0f;
}

// pipelinify: launch weigh
//   sizes    n=0,1,2,3,4,5,8
//   target   n=4096
//   grid     2
//   block    16, 16
//   a:       in  [2 * 16 * (n * 16) + 1] random
//   w:       in  [n * 16 + 1] random
//   out:     out [2 * 16 * 16]
//   n:       n
__global__ void weigh(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float tile[16][16];
    __shared__ float weights[16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        fill(tile, a, n * 16, blockIdx.x * 16, k * 16);
        fill_row<16>(weights, w + k * 16, n * 16 - k * 16);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += tile[threadIdx.y][i] * weights[i ^ threadIdx.x];
        __syncthreads();
    }
    out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}
