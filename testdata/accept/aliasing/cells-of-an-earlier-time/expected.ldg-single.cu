#include <cuda_runtime.h>

#define LANES 64

// Bands of different width, one after the other, in one delay line. Beyond a narrow
// band the line still holds the end of the last wide one, and that is heard: the
// cells that are filled change with the band, not with the block of samples.
// pipelinify: launch band_echo
//   sizes    blocks=0,1,2,3,4,7 bands=1,2,5
//   target   blocks=256 bands=16
//   grid     2
//   block    LANES
//   let      LANES = 64
//   samples: in  [bands * blocks * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   blocks:  blocks
//   bands:   bands
__global__ void band_echo(const float *__restrict__ samples, float *__restrict__ out, int blocks, int bands)
{
    __shared__ float line[LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int band = 0; band < bands; ++band) {
        const int width = band == 0 ? LANES : (band * 37 + 20) % LANES;
        const float *from = samples + (size_t)band * blocks * LANES;
        // pipelinify: ldg-single, 1 stage, source f2f4e460
        int b = 0;
        if (b < blocks) {
            if (lane < width)
                line[lane] = from[b * LANES + lane];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++b; b < blocks; ++b) {
                float line_next;
                if (lane < width)
                    line_next = from[b * LANES + lane];
                for (int j = 0; j < LANES; ++j)
                    sum += line[j ^ lane] * (float)(j + 1);
                __syncthreads();
                if (lane < width)
                    line[lane] = line_next;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += line[j ^ lane] * (float)(j + 1);
            __syncthreads();
        }
    }
    out[blockIdx.x * LANES + lane] = sum;
}

// A row of cells a pass, in turn; every pass looks at the rows of those before.
// pipelinify: launch rows_in_turn
//   sizes    tiles=0,1,2,3,5 passes=1,2,4,5
//   target   tiles=256 passes=4
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
//   passes:  passes
__global__ void rows_in_turn(const float *__restrict__ x, float *__restrict__ out, int tiles, int passes)
{
    __shared__ float rows[4][LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int pass = 0; pass < passes; ++pass)
        // pipelinify: ldg-single, 1 stage, source 5c08e2d2
        {
            int i = 0;
            if (i < tiles) {
                rows[pass & 3][lane] = x[i * LANES + lane] * (float)(pass + 1);
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (++i; i < tiles; ++i) {
                    float rows_next = x[i * LANES + lane];
                    for (int r = 0; r <= min(pass, 3); ++r)
                        for (int j = 0; j < LANES; ++j)
                            sum += rows[r][j ^ lane];
                    __syncthreads();
                    rows[pass & 3][lane] = rows_next * (float)(pass + 1);
                    __syncthreads();
                }
                for (int r = 0; r <= min(pass, 3); ++r)
                    for (int j = 0; j < LANES; ++j)
                        sum += rows[r][j ^ lane];
                __syncthreads();
            }
        }
    out[blockIdx.x * LANES + lane] = sum;
}

// Samples and taps, then other samples with the last taps, which the second loop
// leaves where they are.
// pipelinify: launch last_taps
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   taps:    in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void last_taps(const float *__restrict__ x, const float *__restrict__ taps, float *__restrict__ out,
                          int tiles)
{
    __shared__ float both[2 * LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source e6bf5c9b
    {
        int i = 0;
        if (i < tiles) {
            both[lane] = x[i * LANES + lane];
            both[LANES + lane] = taps[i * LANES + lane];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float both_next = x[i * LANES + lane];
                float both_next2 = taps[i * LANES + lane];
                for (int j = 0; j < LANES; ++j)
                    sum += both[j] * both[LANES + (j ^ lane)];
                __syncthreads();
                both[lane] = both_next;
                both[LANES + lane] = both_next2;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += both[j] * both[LANES + (j ^ lane)];
            __syncthreads();
        }
    }
    // pipelinify: ldg-single, 1 stage, source c14e1d71
    {
        int i = tiles - 1;
        if (i >= 0) {
            both[lane] = x[i * LANES + lane] * 0.5f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (--i; i >= 0; --i) {
                float both_next = x[i * LANES + lane];
                for (int j = 0; j < LANES; ++j)
                    sum -= both[j] * both[LANES + (j ^ lane)];
                __syncthreads();
                both[lane] = both_next * 0.5f;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum -= both[j] * both[LANES + (j ^ lane)];
        }
    }
    out[blockIdx.x * LANES + lane] = sum;
}

__device__ float weighted(const float *__restrict__ x, int tiles, int width, float scale)
{
    __shared__ float part[2 * LANES];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 26bb4f4b
    int i = 0;
    if (i + 1 < tiles) {
        for (int e = threadIdx.x; e < width; e += LANES)
            part[e] = x[i * LANES + e] * scale;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i + 1 < tiles; ++i) {
            float part_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int e = threadIdx.x + slot * LANES;
                if (e < width)
                    part_next[slot] = x[i * LANES + e];
            }
            for (int j = 0; j < 2 * LANES; ++j)
                sum += part[j ^ threadIdx.x] * (float)(j + 1);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int e = threadIdx.x + slot * LANES;
                if (e < width)
                    part[e] = part_next[slot] * scale;
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + 2 * LANES; e < width; e += LANES)
                part[e] = x[i * LANES + e] * scale;
            __syncthreads();
        }
        for (int j = 0; j < 2 * LANES; ++j)
            sum += part[j ^ threadIdx.x] * (float)(j + 1);
        __syncthreads();
    }
    return sum;
}

// The second call fills half as many cells as the first, and sums up all.
// pipelinify: launch wide_and_narrow
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void wide_and_narrow(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    float sum = weighted(x, tiles, 2 * LANES, 1.0f);
    sum -= weighted(x, tiles, LANES, 0.5f);
    out[blockIdx.x * LANES + threadIdx.x] = sum;
}

// Two passes over the same cells, in copy loops of their own: each fills what the
// other one filled.
// pipelinify: launch two_passes
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * 4 * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void two_passes(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float block[4][LANES];
    const int lane = threadIdx.x;
    float top = -1.0f, sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source e87f7acf
    {
        int i = 0;
        if (i < tiles) {
            for (int e = threadIdx.x; e < 4 * LANES; e += LANES) {
                const int row = e / LANES, column = e % LANES;
                block[row][column] = x[i * 4 * LANES + e];
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float block_next[4 * LANES / LANES];
                #pragma unroll
                for (int slot = 0; slot < 4 * LANES / LANES; ++slot) {
                    int e = (threadIdx.x < LANES ? threadIdx.x : LANES - 1) + slot * LANES;
                    block_next[slot] = x[i * 4 * LANES + e];
                }
                for (int j = 0; j < LANES; ++j)
                    top = fmaxf(top, block[j & 3][j ^ lane]);
                __syncthreads();
                #pragma unroll
                for (int slot = 0; slot < 4 * LANES / LANES; ++slot) {
                    int e = (threadIdx.x < LANES ? threadIdx.x : LANES - 1) + slot * LANES;
                    const int row = e / LANES, column = e % LANES;
                    block[row][column] = block_next[slot];
                }
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                top = fmaxf(top, block[j & 3][j ^ lane]);
            __syncthreads();
        }
    }
    // pipelinify: ldg-single, 1 stage, source 1e0d1bb9
    {
        int i = 0;
        if (i < tiles) {
            for (int c = threadIdx.x; c < 4 * LANES; c += LANES) {
                const int r = c / LANES, k = c % LANES;
                block[r][k] = x[(tiles - 1 - i) * 4 * LANES + c];
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float block_next[4 * LANES / LANES];
                #pragma unroll
                for (int slot = 0; slot < 4 * LANES / LANES; ++slot) {
                    int c = (threadIdx.x < LANES ? threadIdx.x : LANES - 1) + slot * LANES;
                    block_next[slot] = x[(tiles - 1 - i) * 4 * LANES + c];
                }
                for (int j = 0; j < LANES; ++j)
                    sum += top - block[j & 3][j ^ lane];
                __syncthreads();
                #pragma unroll
                for (int slot = 0; slot < 4 * LANES / LANES; ++slot) {
                    int c = (threadIdx.x < LANES ? threadIdx.x : LANES - 1) + slot * LANES;
                    const int r = c / LANES, k = c % LANES;
                    block[r][k] = block_next[slot];
                }
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += top - block[j & 3][j ^ lane];
        }
    }
    out[blockIdx.x * LANES + lane] = sum;
}

// How far a tile is filled is the object's, and is set between two runs.
struct meter
{
    const float *x;
    int tiles, width;
    float sum;

    __device__ void run()
    {
        __shared__ float part[LANES];
        // pipelinify: ldg-single, 1 stage, source 355d43c1
        int i = 0;
        if (i < tiles) {
            if (threadIdx.x < width)
                part[threadIdx.x] = x[i * LANES + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float part_next;
                if (threadIdx.x < width)
                    part_next = x[i * LANES + threadIdx.x];
                for (int j = 0; j < LANES; ++j)
                    sum += part[j ^ threadIdx.x] * (float)(j + 1);
                __syncthreads();
                if (threadIdx.x < width)
                    part[threadIdx.x] = part_next;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += part[j ^ threadIdx.x] * (float)(j + 1);
            __syncthreads();
        }
    }
};

// pipelinify: launch full_then_half
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void full_then_half(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    meter m = {x, tiles, LANES, 0.0f};
    m.run();
    m.width = LANES / 2;
    m.run();
    out[blockIdx.x * LANES + threadIdx.x] = m.sum;
}

// By a jump back.
// pipelinify: launch once_more
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void once_more(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float part[LANES];
    const int lane = threadIdx.x;
    int width = LANES;
    float sum = 0.0f;
again:
    // pipelinify: ldg-single, 1 stage, source 38e32cee
    {
        int i = 0;
        if (i < tiles) {
            if (lane < width)
                part[lane] = x[i * LANES + lane] * (float)width;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float part_next;
                if (lane < width)
                    part_next = x[i * LANES + lane];
                for (int j = 0; j < LANES; ++j)
                    sum += part[j ^ lane];
                __syncthreads();
                if (lane < width)
                    part[lane] = part_next * (float)width;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += part[j ^ lane];
            __syncthreads();
        }
    }
    width -= 20;
    if (width > 0)
        goto again;
    out[blockIdx.x * LANES + lane] = sum;
}

// A record says how wide a tile is, and where it begins; both are set in between.
struct extent
{
    int from, width;
};

// pipelinify: launch narrowed
//   sizes    tiles=0,1,2,3,4,5,9
//   target   tiles=4096
//   grid     2
//   block    LANES
//   let      LANES = 64
//   x:       in  [tiles * LANES] range(-1, 1)
//   out:     out [2 * LANES]
//   tiles:   tiles
__global__ void narrowed(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float part[LANES];
    __shared__ float other[2 * LANES];
    const int lane = threadIdx.x;
    extent e = {LANES, LANES};
    float sum = 0.0f;
    other[e.from + lane] = 1.0f;
    e.from = 0;
    // pipelinify: ldg-single, 1 stage, source 26968382
    {
        int i = 0;
        if (i < tiles) {
            for (int at = lane; at < e.width; at += 16)
                part[at] = x[i * LANES + at];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float part_next[4];
                #pragma unroll
                for (int slot = 0; slot < 4; ++slot) {
                    int at = lane + slot * 16;
                    if (at < e.width)
                        part_next[slot] = x[i * LANES + at];
                }
                for (int j = 0; j < LANES; ++j)
                    sum += part[j ^ lane];
                __syncthreads();
                #pragma unroll
                for (int slot = 0; slot < 4; ++slot) {
                    int at = lane + slot * 16;
                    if (at < e.width)
                        part[at] = part_next[slot];
                }
                // What has not been fetched ahead.
                for (int at = lane + 4 * 16; at < e.width; at += 16)
                    part[at] = x[i * LANES + at];
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum += part[j ^ lane];
            __syncthreads();
        }
    }
    e.width /= 2;
    // pipelinify: ldg-single, 1 stage, source 3d5c8123
    {
        int i = 0;
        if (i < tiles) {
            for (int at = lane; at < e.width; at += 16)
                part[at] = x[i * LANES + at] * 0.5f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float part_next[4];
                #pragma unroll
                for (int slot = 0; slot < 4; ++slot) {
                    int at = lane + slot * 16;
                    if (at < e.width)
                        part_next[slot] = x[i * LANES + at];
                }
                for (int j = 0; j < LANES; ++j)
                    sum -= part[j ^ lane];
                __syncthreads();
                #pragma unroll
                for (int slot = 0; slot < 4; ++slot) {
                    int at = lane + slot * 16;
                    if (at < e.width)
                        part[at] = part_next[slot] * 0.5f;
                }
                // What has not been fetched ahead.
                for (int at = lane + 4 * 16; at < e.width; at += 16)
                    part[at] = x[i * LANES + at] * 0.5f;
                __syncthreads();
            }
            for (int j = 0; j < LANES; ++j)
                sum -= part[j ^ lane];
            __syncthreads();
        }
    }
    // pipelinify: ldg-single, 1 stage, source 139bee8f
    {
        int i = 0;
        if (i < tiles) {
            other[e.from + lane] = x[i * LANES + lane];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < tiles; ++i) {
                float other_next = x[i * LANES + lane];
                for (int j = 0; j < 2 * LANES; ++j)
                    sum += other[j] * (float)(j ^ lane);
                __syncthreads();
                other[e.from + lane] = other_next;
                __syncthreads();
            }
            for (int j = 0; j < 2 * LANES; ++j)
                sum += other[j] * (float)(j ^ lane);
        }
    }
    out[blockIdx.x * LANES + lane] = sum;
}
