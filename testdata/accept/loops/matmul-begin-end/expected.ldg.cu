// Classroom block matrix multiply for square blocks, walking both operands with begin / end / step indices.
#include <cstdio>
#include <cuda_runtime.h>

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

    // pipelinify: ldg, 2 stages, source 46773978
    {
        __shared__ float As_stage[2][BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs_stage[2][BLOCK_SIZE][BLOCK_SIZE];
        int a = aBegin, b = bBegin, stage = 0;
        if (a <= aEnd)
        {
            auto compute_tile = [&]()
            {
#pragma unroll
                for (int k = 0; k < BLOCK_SIZE; ++k)
                {
                    Csub += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
                }
            };
            As_stage[0][ty][tx] = A[a + wA * ty + tx];
            Bs_stage[0][ty][tx] = B[b + wB * ty + tx];
            a += aStep, b += bStep;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (; a <= aEnd; a += aStep, b += bStep)
            {
                float As_next = A[a + wA * ty + tx];
                float Bs_next = B[b + wB * ty + tx];
                compute_tile();
                stage ^= 1;
                As_stage[stage][ty][tx] = As_next;
                Bs_stage[stage][ty][tx] = Bs_next;
                __syncthreads();
            }
            compute_tile();
        }
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
