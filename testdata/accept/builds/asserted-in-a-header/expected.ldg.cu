// Sums of the rows of tiles, signed by half, by a helper of a header that asserts
// what it is made for.
#include "weighing.cuh"

// pipelinify: launch signed_rows<8>
//   sizes    n=0,8,16,24,56
//   target   n=4096
//   grid     2
//   block    64
//   in:      in  [n * 128]
//   out:     out [2 * 64 * 8]
//   n:       n
template <int LANES>
__global__ void __launch_bounds__(64) signed_rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    using namespace weighing;
    __shared__ float rows_stage[2][8][64];
    float sums[LANES] = {};

    // pipelinify: ldg, 2 stages, source 599fcbac
    int r = 0, stage = 0;
    if (r < n)
    {
        for (int i = 0; i < 8; ++i)
            rows_stage[0][i][threadIdx.x] = in[((r + i) * 2 + blockIdx.x) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += 8; r < n; r += 8)
        {
            float rows_next[8];
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                rows_next[i] = in[((r + i) * 2 + blockIdx.x) * 64 + threadIdx.x];
            add_row<LANES, BY_ROWS>(sums, &rows_stage[stage][0][threadIdx.x / 2], 64);
            stage ^= 1;
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                rows_stage[stage][i][threadIdx.x] = rows_next[i];
            __syncthreads();
        }
        add_row<LANES, BY_ROWS>(sums, &rows_stage[stage][0][threadIdx.x / 2], 64);
    }
    for (int l = 0; l < LANES; ++l)
        out[(blockIdx.x * 64 + threadIdx.x) * LANES + l] = sums[l];
}

void signed_rows_8(const float *in, float *out, int n) { signed_rows<8><<<2, 64>>>(in, out, n); }
