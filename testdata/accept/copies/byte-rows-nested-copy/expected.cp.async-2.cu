// Block matching on grey images: for each 16 x 16 block of `now`, the sum of absolute
// differences to `past` at each candidate's shift. The rows of both windows are copied by
// nested loops over the block's own shape.
#include <stdint.h>
#include <cuda_pipeline.h>

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
    __shared__ __align__(16) uint8_t here_stage[2][ROWS][WIDTH];
    __shared__ __align__(16) uint8_t there_stage[2][ROWS][WIDTH];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * ROWS, left = blockIdx.x * WIDTH;

    int candidate = 0;
    // pipelinify: cp.async, 2 stages, source 6e631c49
    // Whether 16 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)now % 16 == 0 && width % 16 == 0 && (size_t)past % 16 == 0;
    int candidate_load = candidate, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (candidate_load < candidates) {
            const uint8_t *frame = past + (size_t)candidate_load * height * width;
            for (int r = ty; r < ROWS; r += blockDim.y) {
                if (joined) {
                    for (int q = 16 * tx; q < WIDTH; q += 16 * blockDim.x) {
                        __pipeline_memcpy_async(&here_stage[load_stage][r][q],
                                                &now[(top + r) * width + left + q], 16,
                                                (top + r < height && left + q < width) ? 0 : 16);
                        __pipeline_memcpy_async(&there_stage[load_stage][r][q],
                                                &frame[(top + r) * width + left + q], 16,
                                                (top + r < height && left + q < width) ? 0 : 16);
                    }
                } else {
                    for (int q = tx; q < WIDTH; q += blockDim.x) {
                        const bool inside = top + r < height && left + q < width;
                        here_stage[load_stage][r][q] =
                            inside ? now[(top + r) * width + left + q] : 0;
                        there_stage[load_stage][r][q] =
                            inside ? frame[(top + r) * width + left + q] : 0;
                    }
                }
            }

            ++candidate_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (candidate < candidates) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int r = ty; r < ROWS; r += blockDim.y) {
            unsigned cost = 0;
            for (int q = 2 * tx; q < 2 * tx + 2; ++q)
                cost += abs(here_stage[stage][r][q] -
                            there_stage[stage][r][(q + candidate) % WIDTH]);
            costs[((size_t)candidate * gridDim.y * ROWS + top + r) * (gridDim.x * 64) +
                  blockIdx.x * 64 + tx] = cost;
        }
        ++candidate;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}

}  // namespace motion
