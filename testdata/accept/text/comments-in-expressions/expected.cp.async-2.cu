// A ragged product whose author explains each part of a condition beside it: comments end the lines of
// choices, guards and indices, and one of them stands in front of a parenthesis.
#include <cuda_pipeline.h>

#define T 16

// pipelinify: launch mm_explained
//   sizes M=16,21,48 N=16,37 K=0,1,16,17,32,40,64,80,113
//   target M=2048 N=2048 K=2048
//   grid (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
//   work flops 2 * M * N * K
__global__ void mm_explained(const float *__restrict__ A, const float *__restrict__ B, float *C, int M, int N, int K)
{
    __shared__ float As_stage[2][T][T], Bs_stage[2][T][T];
    const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 0237ebb0
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < K) {
            if (row < M && k_load + threadIdx.x < K) {
                __pipeline_memcpy_async(&As_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &A[row * K + k_load + threadIdx.x], sizeof(float));  // rows are K apart
            } else {
                As_stage[load_stage][threadIdx.y][threadIdx.x] = 0.f;  // adds nothing
            }
            if (k_load + threadIdx.y < K &&               // the last tile is short
                col < N) {
                // then it is there
                __pipeline_memcpy_async(&Bs_stage[load_stage][threadIdx.y][threadIdx.x], &B[(k_load + threadIdx.y) * N          // down
                      + col], sizeof(float));  // and across
            } else {
                Bs_stage[load_stage][threadIdx.y][threadIdx.x] = 0.f   // as above
                    ;
            }
            k_load += T;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < K; k += T) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < T; ++j) sum += As_stage[stage][threadIdx.y][j] * Bs_stage[stage][j][threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N) C[row * N + col] = sum;
}

// pipelinify: launch clipped
//   sizes n=0,1,31,32,33,64,65,96,100,160
//   target n=65536
//   grid 2
//   block 32
//   a: in [n + 160]
//   out: out [64]
//   n: n
__global__ void clipped(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    float sum = 0.f;
    for (int k = 0; k < n; k += 32) {
        tile[threadIdx.x] =                      // where it is summed
            k + threadIdx.x < n                  // inside
                ? fminf(a[k + threadIdx.x], 0.5f) // no more than a half
                : 0.f                            // outside
            ;                                    // done
        __syncthreads();
        for (int j = 0; j < 32; ++j) sum += tile[j] * (threadIdx.x + 1);
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
