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
    {
        int k = 0;
        auto k_load = k;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &a = a_stage[load_stage];
                auto &b = b_stage[load_stage];
                auto &k = k_load;
                if (k + threadIdx.x % 16 < n) {
                    // inside of A
                    __pipeline_memcpy_async(&a[threadIdx.x / 16][threadIdx.x % 16],
                                            &A[row * n + k + threadIdx.x % 16], sizeof(float));  // its rows
                } else {
                    // beyond it
                    a[threadIdx.x / 16][threadIdx.x % 16] = 0.f;  // nothing
                }
                for (int i = threadIdx.x; i < 256; i += 64) {
                    // four turns
                    const int r = i / 16;  // which row
                    const int c = i % 16;  /* and column */
                    if (k + r < n) {
                        // inside of B
                        __pipeline_memcpy_async(&b[r][c], &B[(k + r) * n + blockIdx.x * 16 + c],
                                                sizeof(float));  // a row
                    } else {
                        /* beyond it */
                        b[r][c] = 0.f;  // no row
                    }
                }
                k += 16;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        // a tile at a time
        for (; k < n; k += 16) {
            __pipeline_wait_prior(0);
            __syncthreads(); // both are there
            copy_tile(stage ^ 1);
            {
                auto &a = a_stage[stage];
                auto &b = b_stage[stage];
                for (int q = 0; q < 16; q++) // the sum
                    sum += a[threadIdx.x / 16][q] * b[q][threadIdx.x % 16]; // goes on
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
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
