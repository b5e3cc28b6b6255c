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
    __shared__ float Mds[TILE_DIM][TILE_DIM];
    __shared__ float Nds[TILE_DIM][TILE_DIM];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_DIM + ty;
    int Col = bx * TILE_DIM + tx;

    float Pvalue = 0;
    // pipelinify: ldg-single, 1 stage, source a464e72d
    int ph = 0;
    if (ph < Width / TILE_DIM) {
        Mds[ty][tx] = M[Row * Width + ph * TILE_DIM + tx];
        Nds[ty][tx] = N[(ph * TILE_DIM + ty) * Width + Col];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++ph; ph < Width / TILE_DIM; ++ph) {
            float Mds_next = M[Row * Width + ph * TILE_DIM + tx];
            float Nds_next = N[(ph * TILE_DIM + ty) * Width + Col];
            for (int k = 0; k < TILE_DIM; ++k)
                Pvalue += Mds[ty][k] * Nds[k][tx];
            __syncthreads();
            Mds[ty][tx] = Mds_next;
            Nds[ty][tx] = Nds_next;
            __syncthreads();
        }
        for (int k = 0; k < TILE_DIM; ++k)
            Pvalue += Mds[ty][k] * Nds[k][tx];
    }
    P[Row * Width + Col] = Pvalue;
}
