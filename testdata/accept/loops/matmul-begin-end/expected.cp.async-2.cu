// Classroom block matrix multiply for square blocks, walking both operands with begin / end / step indices.
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch MatMulBlocks<16>
//   sizes    hA=16 wA=0,16,32,48,64,80 wB=16
//   sizes    hA=32 wA=48,112 wB=48
//   target   hA=2048 wA=2048 wB=2048
//   grid     wB / 16, hA / 16
//   block    16, 16
//   C:       out [hA * wB]
//   A:       in  [hA * wA]
//   B:       in  [wA * wB]
//   wA:      wA
//   wB:      wB
//   work     flops 2 * hA * wA * wB
template <int BLOCK_SIZE>
__global__ void MatMulBlocks(float *C, float *A, float *B, int wA, int wB)
{
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // first and last sub-matrix of A for this block, and the distance between two
    int aBegin = wA * BLOCK_SIZE * by;
    int aEnd   = aBegin + wA - 1;
    int aStep  = BLOCK_SIZE;

    // the same of B
    int bBegin = BLOCK_SIZE * bx;
    int bStep  = BLOCK_SIZE * wB;

    float Csub = 0;

    // pipelinify: cp.async, 2 stages, source 46773978
    {
        __shared__ float As_stage[2][BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs_stage[2][BLOCK_SIZE][BLOCK_SIZE];
        int a_load = aBegin, b_load = bBegin, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage)
        {
            if (a_load <= aEnd)
            {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[a_load + wA * ty + tx], sizeof(float));
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &B[b_load + wB * ty + tx], sizeof(float));
                a_load += aStep, b_load += bStep;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep)
        {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);

#pragma unroll
            for (int k = 0; k < BLOCK_SIZE; ++k)
            {
                Csub += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
            }

            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }

    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}

int launchMatMul(float *d_C, float *d_A, float *d_B, int hA, int wA, int wB, int blockSize)
{
    dim3 threads(blockSize, blockSize);
    dim3 grid(wB / threads.x, hA / threads.y);

    if (blockSize == 16)
        MatMulBlocks<16><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);
    else
        MatMulBlocks<32><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);

    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess)
        std::printf("launch failed: %s\n", cudaGetErrorString(err));
    return err == cudaSuccess;
}
