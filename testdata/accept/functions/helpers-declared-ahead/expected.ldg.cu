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

__device__ __forceinline__ auto fill_fetch(const float *from, int pitch, int row, int col)
{
    float tile_next = from[(row + threadIdx.y) * pitch + col + threadIdx.x];
    return tile_next;
}

__device__ __forceinline__ void fill_store(float (*tile)[16], float tile_next)
{
    tile[threadIdx.y][threadIdx.x] = tile_next;
}

template <int W>
__device__ void fill_row(float *row, const float *from, int count)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = (int)threadIdx.x < count ? from[threadIdx.x] : 0.0f;
}

template <int W>
__device__ auto fill_row_fetch(const float *from, int count)
{
    struct {
        float row_next;
    } next;
    if (threadIdx.y == 0)
        next.row_next = (int)threadIdx.x < count ? from[threadIdx.x] : 0.0f;
    return next;
}

template <int W, typename Registers>
__device__ void fill_row_store(float *row, const Registers &next)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = next.row_next;
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
    __shared__ float tile_stage[2][16][16];
    __shared__ float weights_stage[2][16];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 07edfe30
    int k = 0, stage = 0;
    if (k < n) {
        fill(tile_stage[0], a, n * 16, blockIdx.x * 16, k * 16);
        fill_row<16>(weights_stage[0], w + k * 16, n * 16 - k * 16);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            auto tile_next = fill_fetch(a, n * 16, blockIdx.x * 16, k * 16);
            auto weights_next = fill_row_fetch<16>(w + k * 16, n * 16 - k * 16);
            for (int i = 0; i < 16; ++i)
                sum += tile_stage[stage][threadIdx.y][i] * weights_stage[stage][i ^ threadIdx.x];
            stage ^= 1;
            fill_store(tile_stage[stage], tile_next);
            fill_row_store<16>(weights_stage[stage], weights_next);
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i)
            sum += tile_stage[stage][threadIdx.y][i] * weights_stage[stage][i ^ threadIdx.x];
    }
    out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}
