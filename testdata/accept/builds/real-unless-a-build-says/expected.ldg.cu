// A build may give another type with -DREAL=double: the text that is made of this one
// has registers of floats, and stops there.
#ifndef REAL
#define REAL float /* unless -DREAL says so */
#endif
#ifndef INDEX
#define INDEX int
#endif

typedef REAL value;

// pipelinify: launch heights
//   sizes    tiles=0,1,2,3,5
//   block    64
//   points:  in [tiles * 64 + 64] random
//   sums:    out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
heights(const value *__restrict__ points, REAL *__restrict__ sums, INDEX tiles)
{
    __shared__ REAL height_stage[2][64];
    const int x = threadIdx.x;
    value sum = 0;
    // pipelinify: ldg, 2 stages, source 8be3384a
    {
        static_assert(__is_same(REAL, float),
                      "pipelined for this REAL alone: run pipelinify again for another");
        static_assert(__is_same(INDEX, int),
                      "pipelined for this INDEX alone: run pipelinify again for another");
        INDEX t = 0;
        if (t < tiles) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &height = height_stage[stage];
                for (int k = 0; k < 64; ++k)
                    sum = sum / 2 + height[k] * (k ^ x);
            };

            // Prologue: load the first tile.
            {
                auto &height = height_stage[0];
                height[x] = points[t * 64 + x] * 2 + points[t * 64 + (x ^ 1)];
            }
            ++t;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; t < tiles; ++t) {
                value height_next = points[t * 64 + x];
                value height_next2 = points[t * 64 + (x ^ 1)];
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &height = height_stage[stage];
                    height[x] = height_next * 2 + height_next2;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    sums[blockIdx.x * 64 + x] = sum;
}
