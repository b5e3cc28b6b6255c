#include <cuda_pipeline.h>

#define TILE_DIM 16

// "No need to wait after the last tile."
// pipelinify: launch matmul_last
//   sizes    Width=16,32,48,64
//   target   Width=2048
//   grid     Width / 16, Width / 16
//   block    16, 16
//   M:       in  [Width * Width] random
//   N:       in  [Width * Width] random
//   P:       out [Width * Width]
//   Width:   Width
__global__ void matmul_last(const float *__restrict__ M, const float *__restrict__ N,
                            float *__restrict__ P, int Width)
{
    __shared__ float Mds_stage[2][TILE_DIM][TILE_DIM];
    __shared__ float Nds_stage[2][TILE_DIM][TILE_DIM];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_DIM + ty;
    int Col = bx * TILE_DIM + tx;

    float Pvalue = 0;
    // pipelinify: cp.async, 2 stages, source a464e72d
    {
        int ph = 0;
        if (ph < Width / TILE_DIM) {
            // Prologue: load the first tile.
            {
                auto &Mds = Mds_stage[0];
                auto &Nds = Nds_stage[0];
                __pipeline_memcpy_async(&Mds[ty][tx], &M[Row * Width + ph * TILE_DIM + tx], sizeof(float));
                __pipeline_memcpy_async(&Nds[ty][tx], &N[(ph * TILE_DIM + ty) * Width + Col], sizeof(float));
            }
            ++ph;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();

            // Main loop: copy the next tile while computing on this one.
            int stage = 0;
            for (; ph < Width / TILE_DIM; ++ph) {
                {
                    auto &Mds = Mds_stage[stage ^ 1];
                    auto &Nds = Nds_stage[stage ^ 1];
                    __pipeline_memcpy_async(&Mds[ty][tx], &M[Row * Width + ph * TILE_DIM + tx], sizeof(float));
                    __pipeline_memcpy_async(&Nds[ty][tx], &N[(ph * TILE_DIM + ty) * Width + Col], sizeof(float));
                }
                __pipeline_commit();
                {
                    auto &Mds = Mds_stage[stage];
                    auto &Nds = Nds_stage[stage];
                    for (int k = 0; k < TILE_DIM; ++k)
                        Pvalue += Mds[ty][k] * Nds[k][tx];
                }
                stage ^= 1;
                __pipeline_wait_prior(0);
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            {
                auto &Mds = Mds_stage[stage];
                auto &Nds = Nds_stage[stage];
                for (int k = 0; k < TILE_DIM; ++k)
                    Pvalue += Mds[ty][k] * Nds[k][tx];
            }
        }
    }
    P[Row * Width + Col] = Pvalue;
}
