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
    __shared__ short p[FRAME_TILE];
    const unsigned f = blockIdx.x * FRAME_TILE + threadIdx.x;
    int32_t total = 0;

    probe += blockIdx.y * length;
    // pipelinify: ldg-single, 1 stage, source 1623094e
    unsigned s = 0;
    unsigned int s_tile = s;
    if (s < length)
    {
        p[threadIdx.x] = s + threadIdx.x < length ? probe[s + threadIdx.x] : (int16_t)0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (s += FRAME_TILE; s < length; s += FRAME_TILE)
        {
            short p_next = (int16_t)0;
            if (s + threadIdx.x < length)
                p_next = probe[s + threadIdx.x];
            if (f < frames)
                for (unsigned k = 0; k < FRAME_TILE && s_tile + k < length; k++)
                    total += abs((int)library[(s_tile + k) * frames + f] - (int)p[k]);
            s_tile += FRAME_TILE;
            __syncthreads();
            p[threadIdx.x] = p_next;
            __syncthreads();
        }
        if (f < frames)
            for (unsigned k = 0; k < FRAME_TILE && s_tile + k < length; k++)
                total += abs((int)library[(s_tile + k) * frames + f] - (int)p[k]);
        __syncthreads();
    }
    if (f < frames)
        sad[blockIdx.y * frames + f] = total;
}
