// Product with iterators that start one tile early: the pointers are bumped at the head of every iteration.
#include <cuda_runtime.h>

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

    // pipelinify: ldg, 2 stages, source fc66bb64
    int left = tiles, stage = 0;
    if (left > 0)
    {
        ia += 16;
        ib += 16 * N;
        tile_a_stage[0][id] = A[ia];
        tile_b_stage[0][id] = B[ib];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        #pragma unroll 2
        for (left--; left > 0; left--)
        {
            ia += 16;
            ib += 16 * N;
            float tile_a_next = A[ia];
            float tile_b_next = B[ib];
            for (int k = 0; k < 16; k++)
                r += tile_a_stage[stage][threadIdx.y * 16 + k] * tile_b_stage[stage][k * 16 + threadIdx.x];
            stage ^= 1;
            tile_a_stage[stage][id] = tile_a_next;
            tile_b_stage[stage][id] = tile_b_next;
            __syncthreads();
        }
        for (int k = 0; k < 16; k++)
            r += tile_a_stage[stage][threadIdx.y * 16 + k] * tile_b_stage[stage][k * 16 + threadIdx.x];
    }
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = r;
}
