// Every counter is declared at the top, as in C, and serves both phases.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch colsums
//   sizes  n=0,8,16,24,64
//   target n=65536
//   grid   3
//   block  32
//   a: in  [3 * n * 8] range(-1, 1)
//   o: out [96]
//   last: out [96]
//   n: n
__global__ void colsums(const float *__restrict__ a, float *__restrict__ o, int *__restrict__ last, int n)
{
    __shared__ float s_stage[2][8][9];
    const float *mine = a + blockIdx.x * n * 8;
    float sum = 0;
    int i = -1, j = -1, row;

    // pipelinify: cp.async, 2 stages, source 1c088538
    row = 0;
    int row_load = row;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (row_load < n) {
            for (i = threadIdx.x / 8; i < 8; i += 4) {
                for (j = threadIdx.x % 8; j < 8; j += 8)
                    __pipeline_memcpy_async(&s_stage[load_stage][i][j], &mine[(row_load + i) * 8 + j], sizeof(float));
            }
            row_load += 8;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (; row < n; row += 8) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (i = 0; i < 8; ++i)
            sum += s_stage[stage][i][threadIdx.x % 8] * (i + 1);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    o[blockIdx.x * 32 + threadIdx.x] = sum;
    last[blockIdx.x * 32 + threadIdx.x] = row * 10000 + i * 100 + j;
}
