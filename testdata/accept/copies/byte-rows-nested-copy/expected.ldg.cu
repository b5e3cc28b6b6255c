// Block matching on grey images: for each 16 x 16 block of `now`, the sum of absolute
// differences to `past` at each candidate's shift. The rows of both windows are copied by
// nested loops over the block's own shape.
#include <stdint.h>

namespace motion {

constexpr int ROWS = 16;
constexpr int WIDTH = 128;

// pipelinify: launch motion::row_costs
//   sizes    height=16 width=128 candidates=0,1,2,3,4,5,7,8
//   sizes    height=20,31 width=144,150,400 candidates=3,6
//   target   height=1088 width=2048 candidates=32
//   requires height > 0 && width > 0
//   grid     (width + 127) / 128, (height + 15) / 16
//   block    64, 4
//   now:     in  [height * width]
//   past:    in  [candidates * height * width]
//   costs:   out [candidates * ((height + 15) / 16 * 16) * ((width + 127) / 128 * 64)]
//   height:  height
//   width:   width
//   candidates: candidates
//   work     bytes 2 * candidates * height * width
__global__ void row_costs(const uint8_t *__restrict__ now, const uint8_t *__restrict__ past,
                          unsigned *__restrict__ costs, int height, int width, int candidates)
{
    __shared__ uint8_t here_stage[2][ROWS][WIDTH];
    __shared__ uint8_t there_stage[2][ROWS][WIDTH];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * ROWS, left = blockIdx.x * WIDTH;

    int candidate = 0;
    // pipelinify: ldg, 2 stages, source 6e631c49
    int candidate_tile = candidate, stage = 0;
    if (candidate < candidates) {
        auto compute_tile = [&]() {
            for (int r = ty; r < ROWS; r += blockDim.y) {
                unsigned cost = 0;
                for (int q = 2 * tx; q < 2 * tx + 2; ++q)
                    cost += abs(here_stage[stage][r][q] -
                                there_stage[stage][r][(q + candidate_tile) % WIDTH]);
                costs[((size_t)candidate_tile * gridDim.y * ROWS + top + r) * (gridDim.x * 64) +
                      blockIdx.x * 64 + tx] = cost;
            }
            ++candidate_tile;
        };
        {
            const uint8_t *frame = past + (size_t)candidate * height * width;
            for (int r = ty; r < ROWS; r += blockDim.y) {
                for (int q = tx; q < WIDTH; q += blockDim.x) {
                    const bool inside = top + r < height && left + q < width;
                    here_stage[0][r][q] = inside ? now[(top + r) * width + left + q] : 0;
                    there_stage[0][r][q] = inside ? frame[(top + r) * width + left + q] : 0;
                }
            }

            ++candidate;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (candidate < candidates) {
            uint8_t here_next[4][2];
            uint8_t there_next[4][2];
            const uint8_t *frame = past + (size_t)candidate * height * width;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int r = ty + slot * blockDim.y;
                if (r < ROWS) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < 2; ++slot2) {
                        int q = tx + slot2 * blockDim.x;
                        if (q < WIDTH) {
                            const bool inside = top + r < height && left + q < width;
                            here_next[slot][slot2] = 0;
                            if (inside)
                                here_next[slot][slot2] = now[(top + r) * width + left + q];
                            there_next[slot][slot2] = 0;
                            if (inside)
                                there_next[slot][slot2] = frame[(top + r) * width + left + q];
                        }
                    }
                }
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int r = ty + slot * blockDim.y;
                if (r < ROWS) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < 2; ++slot2) {
                        int q = tx + slot2 * blockDim.x;
                        if (q < WIDTH) {
                            here_stage[stage][r][q] = here_next[slot][slot2];
                            there_stage[stage][r][q] = there_next[slot][slot2];
                        }
                    }
                    // What has not been fetched ahead.
                    for (int q = tx + 2 * blockDim.x; q < WIDTH; q += blockDim.x) {
                        const bool inside = top + r < height && left + q < width;
                        here_stage[stage][r][q] = inside ? now[(top + r) * width + left + q] : 0;
                        there_stage[stage][r][q] = inside ? frame[(top + r) * width + left + q] : 0;
                    }
                }
            }
            // What has not been fetched ahead.
            for (int r = ty + 4 * blockDim.y; r < ROWS; r += blockDim.y) {
                for (int q = tx; q < WIDTH; q += blockDim.x) {
                    const bool inside = top + r < height && left + q < width;
                    here_stage[stage][r][q] = inside ? now[(top + r) * width + left + q] : 0;
                    there_stage[stage][r][q] = inside ? frame[(top + r) * width + left + q] : 0;
                }
            }
            ++candidate;
            __syncthreads();
        }
        compute_tile();
    }
}

}  // namespace motion
