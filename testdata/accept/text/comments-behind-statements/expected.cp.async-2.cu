// What is said at the end of a line, of a statement or of a header, goes with it.

#include <cuda_pipeline.h>

__global__ void __launch_bounds__(64)
product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
        int n)
{
    __shared__ float a_stage[2][4][16];  // four rows of A
    __shared__ float b_stage[2][16][16]; // sixteen of B
    const int row = blockIdx.y * 4 + threadIdx.x / 16;
    const int col = blockIdx.x * 16 + threadIdx.x % 16;
    float sum = 0.f; // one element a thread
    // pipelinify: cp.async, 2 stages, source 9b68fc70
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (k_load + threadIdx.x % 16 < n) {
                // inside of A
                __pipeline_memcpy_async(&a_stage[load_stage][threadIdx.x / 16][threadIdx.x % 16],
                                        &A[row * n + k_load + threadIdx.x % 16], sizeof(float)); // its rows
            } else {
                // beyond it
                a_stage[load_stage][threadIdx.x / 16][threadIdx.x % 16] = 0.f; // nothing
            }
            for (int i = threadIdx.x; i < 256; i += 64) {
                // four turns
                const int r = i / 16; // which row
                const int c = i % 16; /* and column */
                if (k_load + r < n) {
                    // inside of B
                    __pipeline_memcpy_async(&b_stage[load_stage][r][c],
                                            &B[(k_load + r) * n + blockIdx.x * 16 + c],
                                            sizeof(float)); // a row
                } else {
                    /* beyond it */
                    b_stage[load_stage][r][c] = 0.f; // no row
                }
            }
            k_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 16) { // a tile at a time
        __pipeline_wait_prior(0);
        __syncthreads(); // both are there
        copy_tile(stage ^ 1);

        for (int q = 0; q < 16; q++) // the sum
            sum += a_stage[stage][threadIdx.x / 16][q] * b_stage[stage][q][threadIdx.x % 16]; // goes on
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    C[row * n + col] = sum;
}

// pipelinify: launch product
//   sizes    n=16,32,48,64,96,128
//   target   n=2048
//   grid     n / 16, n / 4
//   block    64
//   A:       in  [n * n]
//   B:       in  [n * n]
//   C:       out [n * n]
//   n:       n
