// Scores of many database vectors against a handful of queries: query tiles in shared memory, four accumulators a thread.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

enum { kQ = 4, kChunk = 64 };

// pipelinify: launch score_queries
//   sizes  n=64 dim=0,1,63,64,65,128,192,256,320,323
//   sizes  n=150 dim=100
//   target n=1048576 dim=256
//   grid   (n + 63) / 64
//   block  64
//   db:    in  [n * dim] random
//   queries: in [4 * dim] random
//   scores: out [n * 4]
//   n:     n
//   dim:   dim
__global__ void score_queries(const float* __restrict__ db,
                              const float* __restrict__ queries,
                              float* __restrict__ scores,
                              int n, int dim)
{
    __shared__ __align__(16) float qs_stage[2][kQ][kChunk];

    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[kQ] = {0.f, 0.f, 0.f, 0.f};

    const int chunks = (dim + kChunk - 1) / kChunk;
    int chunk = 0;
    // pipelinify: cp.async, 2 stages, source 3284d70f
    int chunk_load = chunk, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (chunk_load < chunks)
        {
            for (int q = 0; q < kQ; ++q)
            {
                const int d = chunk_load * kChunk + threadIdx.x;
                __pipeline_memcpy_async(&qs_stage[load_stage][q][threadIdx.x], &queries[q * dim + d], sizeof(float),
                                        (d < dim) ? 0 : sizeof(float));
            }

            ++chunk_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (chunk < chunks)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        if (v < n)
        {
            const int left = min((int)kChunk, dim - chunk * kChunk);
            for (int d = 0; d < left; ++d)
            {
                const float x = db[(size_t)v * dim + chunk * kChunk + d];
#pragma unroll
                for (int q = 0; q < kQ; ++q)
                    acc[q] += x * qs_stage[stage][q][d];
            }
        }
        ++chunk;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (v < n)
        for (int q = 0; q < kQ; ++q)
            scores[v * kQ + q] = acc[q];
}
