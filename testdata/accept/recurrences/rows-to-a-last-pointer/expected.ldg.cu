// sgemm NN B in shared memory, A streamed.
#include <cuda_runtime.h>

__device__ void saxpy(float a, float *b, float *c)
{
    c[0] += a * b[0];
    c[1] += a * b[1];
    c[2] += a * b[2];
    c[3] += a * b[3];
    c[4] += a * b[4];
    c[5] += a * b[5];
    c[6] += a * b[6];
    c[7] += a * b[7];
    c[8] += a * b[8];
    c[9] += a * b[9];
    c[10] += a * b[10];
    c[11] += a * b[11];
    c[12] += a * b[12];
    c[13] += a * b[13];
    c[14] += a * b[14];
    c[15] += a * b[15];
}

extern "C" __global__ void panel_times_columns(const float *__restrict__ A, int lda, const float *__restrict__ B, int ldb,
                                   float *__restrict__ C, int ldc, int k, float alpha, float beta)
{
    const int inx = threadIdx.x;
    const int iny = threadIdx.y;
    const int ibx = blockIdx.x * 64;
    const int iby = blockIdx.y * 16;
    const int id = inx + iny * 16;

    A += ibx + id;
    B += inx + __mul24(iby + iny, ldb);
    C += ibx + id + __mul24(iby, ldc);

    const float *Blast = B + k;

    float c[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    __shared__ float bs_stage[2][16][17];
    // pipelinify: ldg, 2 stages, source b8df8a99
    int stage = 0;
#pragma unroll
    for (int i = 0; i < 16; i += 4)
        bs_stage[0][inx][iny + i] = B[i * ldb];

    B += 16;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (B < Blast) {
        float bs_next[4];
#pragma unroll
        for (int i = 0; i < 16; i += 4)
            bs_next[i / 4] = B[i * ldb];

#pragma unroll
        for (int i = 0; i < 16; i++, A += lda)
            saxpy(A[0], &bs_stage[stage][i][0], c);

        stage ^= 1;
#pragma unroll
        for (int i = 0; i < 16; i += 4)
            bs_stage[stage][inx][iny + i] = bs_next[i / 4];
        B += 16;
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 16; i++, A += lda)
        saxpy(A[0], &bs_stage[stage][i][0], c);

    for (int i = 0; i < 16; i++, C += ldc)
        C[0] = alpha * c[i] + beta * C[0];
}

// pipelinify: launch panel_times_columns
//   sizes m=64,128 n=16,32 k=16,32,48,80
//   target m=2048 n=1024 k=1024
//   grid m / 64, n / 16
//   block 16, 4
//   A: in [m * k]
//   lda: m
//   B: in [n * k]
//   ldb: k
//   C: inout [m * n]
//   ldc: m
//   k: k
//   alpha: 1.5
//   beta: 0.5
