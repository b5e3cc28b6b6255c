// B = L * A for a lower triangular L: block row b only needs the first b + 1 tiles of K.

#include <cuda_pipeline.h>

template<int S>
static __device__ inline float mac_row(const float *lrow, const float (*a)[S], int x, float s)
{
    for (int k = 0; k < S; k++)
        s += lrow[k] * a[k][x];
    return s;
}

// pipelinify: launch trmm
//   sizes    n=16,32,48,80 m=16
//   sizes    n=64 m=32
//   target   n=4096 m=4096
//   grid     m / 16, n / 16
//   block    16, 16
//   L:       in  [n * n]
//   A:       in  [n * m]
//   B:       out [n * m]
//   n:       n
//   m:       m
__global__ void trmm(const float *__restrict__ L, const float *__restrict__ A,
                     float *__restrict__ B, int n, int m)
{
    __shared__ float l_stage[2][16][16];
    __shared__ float a_stage[2][16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    float s = 0;

    // pipelinify: cp.async, 2 stages, source 2acd7aa4
    int kb_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (kb_load <= blockIdx.y) {
            int kk = kb_load * 16 + x;
            __pipeline_memcpy_async(&l_stage[load_stage][y][x], &L[row * n + kk], sizeof(float),
                                    (kk <= row) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&a_stage[load_stage][y][x], &A[(kb_load * 16 + y) * m + col],
                                    sizeof(float));
            kb_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int kb = 0; kb <= blockIdx.y; kb++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        s = mac_row<16>(l_stage[stage][y], a_stage[stage], x, s);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    B[row * m + col] = s;
}
