// Sum of absolute differences of 16-bit audio frames against a library of templates, short tiles, int accumulators.
#include <cuda_runtime.h>
#include <stdint.h>

#define FRAME_TILE 64

// pipelinify: launch sad_frames
//   sizes  frames=64 length=0,1,63,64,128,192,200,256,320
//   sizes  frames=20 length=90
//   target frames=65536 length=1024
//   grid   (frames + 63) / 64, 2
//   block  64
//   library: in  [length * frames] random
//   probe:   in  [2 * length] random
//   sad:     out [2 * frames]
//   frames:  frames
//   length:  length
__global__ void sad_frames(const int16_t *library, const int16_t *probe, int32_t *sad,
                           uint16_t frames, uint16_t length)
{
    __shared__ short p_stage[2][FRAME_TILE];
    const unsigned f = blockIdx.x * FRAME_TILE + threadIdx.x;
    int32_t total = 0;

    probe += blockIdx.y * length;
    // pipelinify: ldg, 2 stages, source 1623094e
    {
        unsigned s = 0;
        auto s_tile = s;
        if (s < length)
        {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage)
            {
                auto &p = p_stage[stage];
                auto &s = s_tile;
                if (f < frames)
                    for (unsigned k = 0; k < FRAME_TILE && s + k < length; k++)
                        total += abs((int)library[(s + k) * frames + f] - (int)p[k]);
            };

            // Prologue: load the first tile.
            {
                auto &p = p_stage[0];
                p[threadIdx.x] = s + threadIdx.x < length ? probe[s + threadIdx.x] : (int16_t)0;
            }
            s += FRAME_TILE;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; s < length; s += FRAME_TILE)
            {
                short p_next = (int16_t)0;
                if (s + threadIdx.x < length)
                {
                    p_next = probe[s + threadIdx.x];
                }
                compute_tile(stage);
                s_tile += FRAME_TILE;
                stage ^= 1;
                {
                    auto &p = p_stage[stage];
                    p[threadIdx.x] = p_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
            __syncthreads();
        }
    }
    if (f < frames)
        sad[blockIdx.y * frames + f] = total;
}
