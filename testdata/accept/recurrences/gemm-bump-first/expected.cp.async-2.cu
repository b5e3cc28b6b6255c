// Product with iterators that start one tile early: the pointers are bumped at the head of every iteration.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch mm_iter
//   sizes    M=16 N=16 tiles=0,1,2,3,4,5
//   sizes    M=32 N=48 tiles=9
//   target   M=2048 N=2048 tiles=128
//   let      K = tiles * 16
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   N:       N
//   tiles:   tiles
__global__ void mm_iter(const float *A, const float *B, float *C, int N, int tiles)
{
    __shared__ float tile_a_stage[2][256];
    __shared__ float tile_b_stage[2][256];
    const int K = tiles * 16;
    const int id = threadIdx.y * 16 + threadIdx.x;
    int ia = (blockIdx.y * 16 + threadIdx.y) * K + threadIdx.x - 16;
    int ib = ((int)threadIdx.y - 16) * N + blockIdx.x * 16 + threadIdx.x;
    float r = 0;

    // pipelinify: cp.async, 2 stages, source fc66bb64
    int left_load = tiles, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (left_load > 0)
        {
            ia += 16;
            ib += 16 * N;
            __pipeline_memcpy_async(&tile_a_stage[load_stage][id], &A[ia], sizeof(float));
            __pipeline_memcpy_async(&tile_b_stage[load_stage][id], &B[ib], sizeof(float));
            left_load--;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    #pragma unroll 2
    for (int left = tiles; left > 0; left--)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 16; k++)
            r += tile_a_stage[stage][threadIdx.y * 16 + k] * tile_b_stage[stage][k * 16 + threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = r;
}
