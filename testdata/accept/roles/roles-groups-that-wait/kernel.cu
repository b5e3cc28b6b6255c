// Batches that a group of the block waits for, and a second part behind them in which the block sums up: threads that
// load have ended by then.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int THREADS = 96;

// pipelinify: launch norms
//   sizes  batches=0,1,2,3,8 rows=3
//   grid   rows
//   block  96
//   x:       in    [rows * batches * 96 + 1]
//   scale:   in    [96]
//   out:     out   [rows * 96]
//   norms:   inout [rows]
//   batches: batches
__global__ void norms(const float *__restrict__ x, const float *__restrict__ scale, float *__restrict__ out,
                      float *__restrict__ norms, int batches)
{
    __shared__ float batch[THREADS], squares[THREADS];
    cg::thread_block block = cg::this_thread_block();
    const float *row = x + (size_t)blockIdx.x * batches * THREADS;
    const float by = scale[threadIdx.x];
    float sum = 0;
    int b = 0;
    while (b != batches) {
        block.sync();
        batch[threadIdx.x] = row[b * THREADS + threadIdx.x];
        block.sync();
        sum += by * batch[(threadIdx.x + b) % THREADS];
        ++b;
    }
    block.sync();
    squares[threadIdx.x] = sum * sum;
    block.sync();
    for (int half = THREADS / 2; half >= 3; half /= 2) {
        if ((int)threadIdx.x < half)
            squares[threadIdx.x] += squares[threadIdx.x + half];
        block.sync();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        norms[blockIdx.x] += squares[0] + squares[1] + squares[2];
}

void run(const float *x, const float *scale, float *out, float *n, int rows, int batches, cudaStream_t stream)
{
    const dim3 threads{THREADS};
    norms<<<rows, threads, 0, stream>>>(x, scale, out, n, batches);
}
