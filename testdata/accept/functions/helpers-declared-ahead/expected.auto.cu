// Helpers that are declared at the top of the file, one without names and twice, and
// defined ahead of the kernel: what they are split into stands behind the definitions.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ __forceinline__ void fill(float (*)[16], const float *, int, int, int);
__device__ __forceinline__ void fill(float (*t)[16], const float *from, int pitch, int row, int col);
template <int W>
__device__ void fill_row(float *row, const float *from, int count);

__device__ __forceinline__ void fill(float (*tile)[16], const float *from, int pitch, int row, int col)
{
    tile[threadIdx.y][threadIdx.x] = from[(row + threadIdx.y) * pitch + col + threadIdx.x];
}

__device__ __forceinline__ void fill_async(float (*tile)[16], const float *from, int pitch, int row, int col)
{
    __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &from[(row + threadIdx.y) * pitch + col + threadIdx.x],
                            sizeof(float));
}

template <int W>
__device__ void fill_row(float *row, const float *from, int count)
{
    if (threadIdx.y == 0)
        row[threadIdx.x] = (int)threadIdx.x < count ? from[threadIdx.x] : 0.0f;
}

template <int W>
__device__ void fill_row_async(float *row, const float *from, int count)
{
    if (threadIdx.y == 0)
        __pipeline_memcpy_async(&row[threadIdx.x], &from[threadIdx.x], sizeof(float),
                                ((int)threadIdx.x < count) ? 0 : sizeof(float));
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
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][16][16];
    __shared__ float weights_stage[stages][16];
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 07edfe30
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            fill_async(tile_stage[load_stage], a, n * 16, blockIdx.x * 16, k_load * 16);
            fill_row_async<16>(weights_stage[load_stage], w + k_load * 16, n * 16 - k_load * 16);
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 16; ++i)
            sum += tile_stage[stage][threadIdx.y][i] * weights_stage[stage][i ^ threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}
