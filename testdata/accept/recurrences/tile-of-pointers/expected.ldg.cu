#include <cuda_runtime.h>

#define LANES 64
#define DEPTH 4

// A tile holds where the rows of a block of neighbours begin, and nothing for those
// that are missing; each lane sums its own column of them.
// pipelinify: launch neighbour_sums
//   sizes    blocks=0,1,2,3,4,6 missing=0,5,63 rows=40
//   target   blocks=4096 missing=0 rows=100000
//   let      LANES = 64
//   let      DEPTH = 4
//   let      n = max(0, blocks * LANES - missing)
//   grid     2
//   block    LANES
//   features:  in  [rows * DEPTH] range(-1, 1)
//   neighbour: in  [blocks * LANES] below(rows)
//   out:     out [2 * LANES]
//   n:       n
__global__ void neighbour_sums(const float *__restrict__ features, const int *__restrict__ neighbour,
                               float *__restrict__ out, int n)
{
    __shared__ const float *row_stage[2][LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 7702c548
    {
        int first = 0;
        if (first < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &row = row_stage[stage];
                for (int j = 0; j < LANES; ++j)
                    if (row[j] != nullptr)
                        sum += row[j][lane % DEPTH] * (float)(j + 1);
            };

            // Prologue: load the first tile.
            {
                auto &row = row_stage[0];
                row[lane] = first + lane < n ? features + neighbour[first + lane] * DEPTH : nullptr;
            }
            first += LANES;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; first < n; first += LANES) {
                const float * row_next = first + lane < n ? features + neighbour[first + lane] * DEPTH : nullptr;
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &row = row_stage[stage];
                    row[lane] = row_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
            __syncthreads();
        }
    }
    out[blockIdx.x * LANES + lane] = sum;
}
