// Double precision GEMM, 32x32 outputs a block of 128 threads, operands moved as double2.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BS   32
#define BKK  8

// pipelinify: launch dgemm_d2
//   sizes    m=32 n=32 k=0,8,16,24,32,40
//   sizes    m=64 n=32 k=72
//   target   m=2048 n=2048 k=2048
//   let      ldb = n + 2
//   grid     m / 32, n / 32
//   block    128
//   m:       m
//   n:       n
//   k:       k
//   alpha:   2.0
//   A:       in  [m * k]
//   B:       in  [k * ldb]
//   ldb:     ldb
//   C:       inout [m * n]
__global__ void
dgemm_d2(int m, int n, int k, double alpha,
         const double *A, const double *B, int ldb, double *C)
{
    __shared__ double2 sA_stage[2][BS][BKK / 2];
    __shared__ double2 sB_stage[2][BKK][BS / 2];

    const int t  = threadIdx.x;
    const int ty = t / 8;           /* two rows each  */
    const int tx = t % 8;           /* four columns each */
    const int bx = blockIdx.x * BS;
    const int by = blockIdx.y * BS;

    double c[2][4];
    #pragma unroll
    for (int i = 0; i < 2; i++)
        #pragma unroll
        for (int j = 0; j < 4; j++)
            c[i][j] = 0.0;

    // pipelinify: cp.async, 2 stages, source 929008d5
    int kk_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (kk_load < k) {
            __pipeline_memcpy_async(&sA_stage[load_stage][t / 4][t % 4],
                                    (const double2 *)(A + (bx + t / 4) * k + kk_load + (t % 4) * 2),
                                    sizeof(double2));
            __pipeline_memcpy_async(&sB_stage[load_stage][t / 16][t % 16],
                (const double2 *)(B + (kk_load + t / 16) * ldb + by + (t % 16) * 2),
                sizeof(double2));
            kk_load += BKK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int kk = 0; kk < k; kk += BKK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        #pragma unroll
        for (int p = 0; p < BKK / 2; p++) {
            double2 a0 = sA_stage[stage][ty * 2][p];
            double2 a1 = sA_stage[stage][ty * 2 + 1][p];
            #pragma unroll
            for (int j = 0; j < 2; j++) {
                double2 b0 = sB_stage[stage][2 * p][tx * 2 + j];
                double2 b1 = sB_stage[stage][2 * p + 1][tx * 2 + j];
                c[0][2 * j]     += a0.x * b0.x + a0.y * b1.x;
                c[0][2 * j + 1] += a0.x * b0.y + a0.y * b1.y;
                c[1][2 * j]     += a1.x * b0.x + a1.y * b1.x;
                c[1][2 * j + 1] += a1.x * b0.y + a1.y * b1.y;
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            C[(bx + ty * 2 + i) * n + by + tx * 4 + j] += alpha * c[i][j];
}
