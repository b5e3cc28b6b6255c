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
    int ph_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (ph_load < Width / TILE_DIM) {
            __pipeline_memcpy_async(&Mds_stage[load_stage][ty][tx],
                                    &M[Row * Width + ph_load * TILE_DIM + tx], sizeof(float));
            __pipeline_memcpy_async(&Nds_stage[load_stage][ty][tx],
                                    &N[(ph_load * TILE_DIM + ty) * Width + Col], sizeof(float));
            ++ph_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int ph = 0; ph < Width / TILE_DIM; ++ph) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < TILE_DIM; ++k)
            Pvalue += Mds_stage[stage][ty][k] * Nds_stage[stage][k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    P[Row * Width + Col] = Pvalue;
}
