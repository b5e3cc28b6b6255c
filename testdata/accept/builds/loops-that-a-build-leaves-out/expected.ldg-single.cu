// A loop that goes on for ever here may not be run at all in another build, and the load of
// the next tile may ask for one more there.
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef AHEAD
#define AHEAD 1
#endif

// pipelinify: launch rounds
//   sizes   n=1,64,65,128,300
//   block   64
//   from:   in [n + 64] random
//   to:     out [64]
//   n:      n
__global__ void rounds(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float part[64];
    float sum = 0.0f;
    int first = 0;
    // pipelinify: ldg-single, 1 stage, source d93fcbff
    if ((ROUNDS) && first < n) {
        part[threadIdx.x] = first + threadIdx.x < n ? from[first + threadIdx.x] : 0.0f;
        first += 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while ((ROUNDS) && first < n) {
            float part_next = first + threadIdx.x < n ? from[first + threadIdx.x] : 0.0f;
            for (int k = 0; k < 64; ++k)
                sum += part[k] * (k ^ threadIdx.x);
            __syncthreads();
            part[threadIdx.x] = part_next;
            first += 64;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k ^ threadIdx.x);
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch refilled
//   sizes   tiles=1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void refilled(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    part[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    {
        int tile = 0;
        if (tile < tiles) {
            {
                for (int k = 0; k < 64; ++k)
                    sum += part[k] * (k ^ threadIdx.x);
                __syncthreads();
            }
            auto tile_before = tile;
            // pipelinify: ldg-single, 1 stage, source 09044b7e
            ++tile;
            if (tile < tiles) {
                if (tile_before + AHEAD < tiles)
                    part[threadIdx.x] = from[(tile_before + 1) * 64 + threadIdx.x];
                ++tile, ++tile_before;
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (; tile < tiles; ++tile, ++tile_before) {
                    float part_next;
                    if (tile_before + AHEAD < tiles)
                        part_next = from[(tile_before + 1) * 64 + threadIdx.x];
                    for (int k = 0; k < 64; ++k)
                        sum += part[k] * (k ^ threadIdx.x);
                    __syncthreads();
                    if (tile_before + AHEAD < tiles)
                        part[threadIdx.x] = part_next;
                    __syncthreads();
                }
                for (int k = 0; k < 64; ++k)
                    sum += part[k] * (k ^ threadIdx.x);
                __syncthreads();
            }
        }
    }
    to[threadIdx.x] = sum;
}
