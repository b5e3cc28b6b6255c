#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
        for (int b = 0; b < blocks; ++b) {
            if (lane < width)
                line[lane] = from[b * LANES + lane];
            __syncthreads();
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
        for (int i = 0; i < tiles; ++i) {
            rows[pass & 3][lane] = x[i * LANES + lane] * (float)(pass + 1);
            __syncthreads();
            for (int r = 0; r <= min(pass, 3); ++r)
                for (int j = 0; j < LANES; ++j)
                    sum += rows[r][j ^ lane];
            __syncthreads();
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
    for (int i = 0; i < tiles; ++i) {
        both[lane] = x[i * LANES + lane];
        both[LANES + lane] = taps[i * LANES + lane];
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            sum += both[j] * both[LANES + (j ^ lane)];
        __syncthreads();
    }
    for (int i = tiles - 1; i >= 0; --i) {
        both[lane] = x[i * LANES + lane] * 0.5f;
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            sum -= both[j] * both[LANES + (j ^ lane)];
        __syncthreads();
    }
    out[blockIdx.x * LANES + lane] = sum;
}

__device__ float weighted(const float *__restrict__ x, int tiles, int width, float scale)
{
    __shared__ float part[2 * LANES];
    float sum = 0.0f;
    for (int i = 0; i + 1 < tiles; ++i) {
        for (int e = threadIdx.x; e < width; e += LANES)
            part[e] = x[i * LANES + e] * scale;
        __syncthreads();
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
    __shared__ __align__(16) float block_stage[2][4][LANES];
    const int lane = threadIdx.x;
    float top = -1.0f, sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source e87f7acf
    {
        // Whether 4 neighbouring elements can be one copy: all is aligned.
        const bool joined = blockDim.x == LANES && (4 * LANES) % 4 == 0 && LANES % 4 == 0 && (size_t)x % 16 == 0;
        int i_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < tiles) {
                if (joined) {
                    for (int e = 4 * threadIdx.x; e < 4 * LANES; e += 4 * LANES) {
                        const int row = e / LANES, column = e % LANES;
                        __pipeline_memcpy_async(&block_stage[load_stage][row][column], &x[i_load * 4 * LANES + e], 16);
                    }
                } else {
                    for (int e = threadIdx.x; e < 4 * LANES; e += LANES) {
                        const int row = e / LANES, column = e % LANES;
                        __pipeline_memcpy_async(&block_stage[load_stage][row][column], &x[i_load * 4 * LANES + e],
                                                sizeof(float));
                    }
                }
                ++i_load;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int i = 0; i < tiles; ++i) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int j = 0; j < LANES; ++j)
                top = fmaxf(top, block_stage[stage][j & 3][j ^ lane]);
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    // pipelinify: cp.async, 2 stages, source 1e0d1bb9
    {
        // Whether 4 neighbouring elements can be one copy: all is aligned.
        const bool joined = blockDim.x == LANES && (4 * LANES) % 4 == 0 && LANES % 4 == 0 && (size_t)x % 16 == 0;
        int i_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < tiles) {
                if (joined) {
                    for (int c = 4 * threadIdx.x; c < 4 * LANES; c += 4 * LANES) {
                        const int r = c / LANES, k = c % LANES;
                        __pipeline_memcpy_async(&block_stage[load_stage][r][k],
                                                &x[(tiles - 1 - i_load) * 4 * LANES + c], 16);
                    }
                } else {
                    for (int c = threadIdx.x; c < 4 * LANES; c += LANES) {
                        const int r = c / LANES, k = c % LANES;
                        __pipeline_memcpy_async(&block_stage[load_stage][r][k],
                                                &x[(tiles - 1 - i_load) * 4 * LANES + c], sizeof(float));
                    }
                }
                ++i_load;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int i = 0; i < tiles; ++i) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int j = 0; j < LANES; ++j)
                sum += top - block_stage[stage][j & 3][j ^ lane];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
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
        for (int i = 0; i < tiles; ++i) {
            if (threadIdx.x < width)
                part[threadIdx.x] = x[i * LANES + threadIdx.x];
            __syncthreads();
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
    for (int i = 0; i < tiles; ++i) {
        if (lane < width)
            part[lane] = x[i * LANES + lane] * (float)width;
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            sum += part[j ^ lane];
        __syncthreads();
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
    for (int i = 0; i < tiles; ++i) {
        for (int at = lane; at < e.width; at += 16)
            part[at] = x[i * LANES + at];
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            sum += part[j ^ lane];
        __syncthreads();
    }
    e.width /= 2;
    for (int i = 0; i < tiles; ++i) {
        for (int at = lane; at < e.width; at += 16)
            part[at] = x[i * LANES + at] * 0.5f;
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            sum -= part[j ^ lane];
        __syncthreads();
    }
    for (int i = 0; i < tiles; ++i) {
        other[e.from + lane] = x[i * LANES + lane];
        __syncthreads();
        for (int j = 0; j < 2 * LANES; ++j)
            sum += other[j] * (float)(j ^ lane);
        __syncthreads();
    }
    out[blockIdx.x * LANES + lane] = sum;
}
