// Sums of what each lane of a warp is handed of tiles of weights and of counts, by a
// helper of a header whose fragments are special for each order of elements.
#include "fragments.cuh"

// pipelinify: launch weigh<8>
//   sizes    n=0,16,32,48,112
//   target   n=4096
//   grid     2
//   block    64
//   weights: in  [2 * n * 16]
//   counts:  in  [2 * n * 16]
//   sums:    out [2 * 64]
//   n:       n
template <int COLUMNS>
__global__ void __launch_bounds__(64) weigh(const float *weights, const int *counts, float *sums, int n)
{
    using namespace fragments;
    __shared__ float weight_stage[2][16][20];
    __shared__ int count_stage[2][16][20];
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4;
    float sum = 0;

    // pipelinify: ldg, 2 stages, source fbee4a91
    int r = 0, stage = 0;
    if (r < n)
    {
        auto compute_tile = [&]()
        {
            for (int c = 0; c < 16; c += COLUMNS)
            {
                piece<16, COLUMNS, float> a;
                piece<16, COLUMNS, int, BY_PAIRS> b[2];
                take(a, &weight_stage[stage][0][c], 20);
                take(b[threadIdx.x / 32], &count_stage[stage][0][c], 20);
                for (int i = 0; i < a.size; ++i)
                    sum += a.held[i] * b[threadIdx.x / 32].held[i];
            }
        };
        for (int c = 0; c < 4; ++c)
        {
            weight_stage[0][row][column + c] = weights[(blockIdx.x * n + r + row) * 16 + column + c];
            count_stage[0][row][column + c] = counts[(blockIdx.x * n + r + row) * 16 + column + c];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += 16; r < n; r += 16)
        {
            float weight_next[4];
            int count_next[4];
            #pragma unroll
            for (int c = 0; c < 4; ++c)
            {
                weight_next[c] = weights[(blockIdx.x * n + r + row) * 16 + column + c];
                count_next[c] = counts[(blockIdx.x * n + r + row) * 16 + column + c];
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int c = 0; c < 4; ++c)
            {
                weight_stage[stage][row][column + c] = weight_next[c];
                count_stage[stage][row][column + c] = count_next[c];
            }
            __syncthreads();
        }
        compute_tile();
    }
    sums[blockIdx.x * 64 + threadIdx.x] = sum;
}

void weigh_by_8(const float *weights, const int *counts, float *sums, int n)
{
    weigh<8><<<2, 64>>>(weights, counts, sums, n);
}
