// A macro chooses between half and float: both builds are to get one text.
#ifdef USE_HALF
#include <cuda_fp16.h>
typedef __half real;
#define TO_FLOAT(x) __half2float(x)
#define FROM_FLOAT(x) __float2half(x)
#else
typedef float real;
#define TO_FLOAT(x) (x)
#define FROM_FLOAT(x) (x)
#endif

#define TILE 16

// pipelinify: launch matmul_real
//   sizes    M=16,21 N=16,20 K=0,1,15,16,17,40
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   a:       in [M * K]
//   b:       in [K * N]
//   c:       out [M * N]
//   m:       M
//   n:       N
//   k:       K
__global__ void matmul_real(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int m, int n, int k)
{
    __shared__ real as_stage[2][TILE][TILE];
    __shared__ real bs_stage[2][TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source af7822f8
    int t = 0, stage = 0;
    if (t < k) {
        as_stage[0][threadIdx.y][threadIdx.x] = row < m &&
                                                t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : FROM_FLOAT(0.0f);
        bs_stage[0][threadIdx.y][threadIdx.x] = col < n &&
                                                t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : FROM_FLOAT(0.0f);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += TILE; t < k; t += TILE) {
            real as_next = FROM_FLOAT(0.0f);
            if (row < m && t + threadIdx.x < k)
                as_next = a[row * k + t + threadIdx.x];
            real bs_next = FROM_FLOAT(0.0f);
            if (col < n && t + threadIdx.y < k)
                bs_next = b[(t + threadIdx.y) * n + col];
            for (int i = 0; i < TILE; i++)
                sum += TO_FLOAT(as_stage[stage][threadIdx.y][i]) * TO_FLOAT(bs_stage[stage][i][threadIdx.x]);
            stage ^= 1;
            as_stage[stage][threadIdx.y][threadIdx.x] = as_next;
            bs_stage[stage][threadIdx.y][threadIdx.x] = bs_next;
            __syncthreads();
        }
        for (int i = 0; i < TILE; i++)
            sum += TO_FLOAT(as_stage[stage][threadIdx.y][i]) * TO_FLOAT(bs_stage[stage][i][threadIdx.x]);
    }
    if (row < m && col < n)
        c[row * n + col] = FROM_FLOAT(sum);
}
