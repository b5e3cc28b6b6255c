// Scores of many database vectors against a handful of queries: query tiles in shared memory, four accumulators a thread.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source 3284d70f
    int chunk_tile = chunk, stage = 0;
    if (chunk < chunks)
    {
        auto compute_tile = [&]()
        {
            if (v < n)
            {
                const int left = min((int)kChunk, dim - chunk_tile * kChunk);
                for (int d = 0; d < left; ++d)
                {
                    const float x = db[(size_t)v * dim + chunk_tile * kChunk + d];
#pragma unroll
                    for (int q = 0; q < kQ; ++q)
                        acc[q] += x * qs_stage[stage][q][d];
                }
            }
            ++chunk_tile;
        };
        for (int q = 0; q < kQ; ++q)
        {
            const int d = chunk * kChunk + threadIdx.x;
            qs_stage[0][q][threadIdx.x] = d < dim ? queries[q * dim + d] : 0.f;
        }

        ++chunk;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (chunk < chunks)
        {
            float qs_next[kQ];
#pragma unroll
            for (int q = 0; q < kQ; ++q)
            {
                const int d = chunk * kChunk + threadIdx.x;
                qs_next[q] = d < dim ? queries[q * dim + d] : 0.f;
            }
            compute_tile();
            stage ^= 1;
#pragma unroll
            for (int q = 0; q < kQ; ++q)
            {
                qs_stage[stage][q][threadIdx.x] = qs_next[q];
            }
            ++chunk;
            __syncthreads();
        }
        compute_tile();
    }

    if (v < n)
        for (int q = 0; q < kQ; ++q)
            scores[v * kQ + q] = acc[q];
}
