// Sums of what each lane of a warp is handed of tiles of weights and of counts, by a
// helper of a header; one of the two kinds of fragments lies where the next tiles are
// loaded from.
#include "fragments.cuh"

template <int COLUMNS>
__global__ void __launch_bounds__(64) weigh(const float *weights, int *counts, float *sums, int n)
{
    using namespace fragments;
    __shared__ float weight[16][20];
    __shared__ int count[16][20];
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4;
    float sum = 0;

    for (int r = 0; r < n; r += 16)
    {
        for (int c = 0; c < 4; ++c)
        {
            weight[row][column + c] = weights[(blockIdx.x * n + r + row) * 16 + column + c];
            count[row][column + c] = counts[(blockIdx.x * n + r + row) * 16 + column + c];
        }
        __syncthreads();
        for (int c = 0; c < 16; c += COLUMNS)
        {
            piece<16, COLUMNS, float> a;
            piece<16, COLUMNS, int, BY_PAIRS> b[2];
            b[0].held = b[1].held = counts;
            take(a, &weight[0][c], 20);
            take(b[threadIdx.x / 32], &count[0][c], 20);
            for (int i = 0; i < a.size; ++i)
                sum += a.held[i] * b[threadIdx.x / 32].held[i];
        }
        __syncthreads();
    }
    sums[blockIdx.x * 64 + threadIdx.x] = sum;
}

void weigh_by_8(const float *weights, int *counts, float *sums, int n)
{
    weigh<8><<<2, 64>>>(weights, counts, sums, n);
}
