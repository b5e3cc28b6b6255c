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
    {
        int r = 0;
        if (r < n)
        {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage)
            {
                auto &rows = rows_stage[stage];
                add_row<LANES, BY_ROWS>(sums, &rows[0][threadIdx.x / 2], 64);
            };

            // Prologue: load the first tile.
            {
                auto &rows = rows_stage[0];
                for (int i = 0; i < 8; ++i)
                    rows[i][threadIdx.x] = in[((r + i) * 2 + blockIdx.x) * 64 + threadIdx.x];
            }
            r += 8;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; r < n; r += 8)
            {
                float rows_next[8];
                #pragma unroll
                for (int i = 0; i < 8; ++i)
                {
                    rows_next[i] = in[((r + i) * 2 + blockIdx.x) * 64 + threadIdx.x];
                }
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &rows = rows_stage[stage];
                    #pragma unroll
                    for (int i = 0; i < 8; ++i)
                    {
                        rows[i][threadIdx.x] = rows_next[i];
                    }
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    for (int l = 0; l < LANES; ++l)
        out[(blockIdx.x * 64 + threadIdx.x) * LANES + l] = sums[l];
}

void signed_rows_8(const float *in, float *out, int n) { signed_rows<8><<<2, 64>>>(in, out, n); }
