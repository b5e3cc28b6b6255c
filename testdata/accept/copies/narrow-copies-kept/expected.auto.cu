// Copy loops over bytes and halves of which no sixteen bytes can be taken at once, each for
// a reason of its own, or can with care alone. Every kernel adds up what it has copied.
#include <cuda_fp16.h>
#include <stdint.h>
#include <cuda_pipeline.h>

#define T 64
#define CELLS 256

// The last row of the tile is no whole group.
// pipelinify: launch ragged_bound
//   sizes    n=0,250,500,750,1000,1250
//   grid     2
//   block    64
//   in:      in  [n]
//   out:     out [128]
//   n:       n
__global__ void ragged_bound(const uint8_t *__restrict__ in, unsigned *__restrict__ out, int n)
{
    __shared__ uint8_t s_stage[2][250];
    unsigned sum = 0;
    // pipelinify: ldg, 2 stages, source 698ecc4d
    int base = 0, stage = 0;
    if (base + 250 <= n) {
        for (int i = threadIdx.x; i < 250; i += T)
            s_stage[0][i] = in[base + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 250; base + 250 <= n; base += 250) {
            uint8_t s_next[(250 + T - 1) / T];
            #pragma unroll
            for (int slot = 0; slot < (250 + T - 1) / T; ++slot) {
                int i = (threadIdx.x < T ? threadIdx.x : T - 1) + slot * T;
                if (slot < 250 / T || i < 250)
                    s_next[slot] = in[base + i];
            }
            for (int j = 0; j < 250; ++j)
                sum += s_stage[stage][j] * (1 + (j + threadIdx.x) % 3);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (250 + T - 1) / T; ++slot) {
                int i = (threadIdx.x < T ? threadIdx.x : T - 1) + slot * T;
                if (slot < 250 / T || i < 250)
                    s_stage[stage][i] = s_next[slot];
            }
            __syncthreads();
        }
        for (int j = 0; j < 250; ++j)
            sum += s_stage[stage][j] * (1 + (j + threadIdx.x) % 3);
    }
    out[blockIdx.x * T + threadIdx.x] = sum;
}

// Rows of 33 halves: every second one begins in the middle of a word.
// pipelinify: launch odd_rows
//   sizes    n=0,16,32,48,64,80
//   grid     1
//   block    64
//   in:      in  [32 * n]
//   out:     out [64]
//   n:       n
//   requires n % 16 == 0
__global__ void odd_rows(const __half *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ __half s_stage[2][16][33];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 49770c2e
    int row = 0, stage = 0;
    if (row < n) {
        for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x)
            s_stage[0][i / 32][i % 32] = in[(row + i / 32) * 32 + i % 32];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (row += 16; row < n; row += 16) {
            __half s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 16 * 32)
                    s_next[slot] = in[(row + i / 32) * 32 + i % 32];
            }
            for (int j = 0; j < 16; ++j)
                sum += __half2float(s_stage[stage][j][threadIdx.x % 32]);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 16 * 32)
                    s_stage[stage][i / 32][i % 32] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 8 * blockDim.x; i < 16 * 32; i += blockDim.x)
                s_stage[stage][i / 32][i % 32] = in[(row + i / 32) * 32 + i % 32];
            __syncthreads();
        }
        for (int j = 0; j < 16; ++j)
            sum += __half2float(s_stage[stage][j][threadIdx.x % 32]);
    }
    out[threadIdx.x] = sum;
}

// Columns change places within a row.
// pipelinify: launch swizzled
//   sizes    n=0,8,16,24,32,40
//   grid     1
//   block    64
//   in:      in  [32 * n]
//   out:     out [64]
//   n:       n
//   requires n % 8 == 0
__global__ void swizzled(const __half *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ __half s_stage[2][8][32];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 3ddeb091
    int row = 0, stage = 0;
    if (row < n) {
        for (int i = threadIdx.x; i < 8 * 32; i += blockDim.x) {
            const int r = i / 32, c = i % 32;
            s_stage[0][r][c ^ r] = in[(row + r) * 32 + c];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (row += 8; row < n; row += 8) {
            __half s_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 8 * 32) {
                    const int r = i / 32, c = i % 32;
                    s_next[slot] = in[(row + r) * 32 + c];
                }
            }
            for (int j = 0; j < 8; ++j)
                sum += __half2float(s_stage[stage][j][(threadIdx.x % 32) ^ j]) * (j + 1);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < 8 * 32) {
                    const int r = i / 32, c = i % 32;
                    s_stage[stage][r][c ^ r] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 4 * blockDim.x; i < 8 * 32; i += blockDim.x) {
                const int r = i / 32, c = i % 32;
                s_stage[stage][r][c ^ r] = in[(row + r) * 32 + c];
            }
            __syncthreads();
        }
        for (int j = 0; j < 8; ++j)
            sum += __half2float(s_stage[stage][j][(threadIdx.x % 32) ^ j]) * (j + 1);
    }
    out[threadIdx.x] = sum;
}

// Every second byte.
// pipelinify: launch channel
//   sizes    n=0,256,512,768,1024
//   grid     1
//   block    64
//   in:      in  [2 * n + 1]
//   out:     out [64]
//   n:       n
//   requires n % 256 == 0
__global__ void channel(const uint8_t *__restrict__ in, unsigned *__restrict__ out, int n)
{
    __shared__ uint8_t s_stage[2][CELLS];
    unsigned sum = 0;
    // pipelinify: ldg, 2 stages, source 19bf08da
    int base = 0, stage = 0;
    if (base < n) {
        for (int i = threadIdx.x; i < CELLS; i += blockDim.x)
            s_stage[0][i] = in[2 * (base + i) + 1];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += CELLS; base < n; base += CELLS) {
            uint8_t s_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_next[slot] = in[2 * (base + i) + 1];
            }
            for (int j = threadIdx.x; j < CELLS; j += 3)
                sum += s_stage[stage][j];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_stage[stage][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 4 * blockDim.x; i < CELLS; i += blockDim.x)
                s_stage[stage][i] = in[2 * (base + i) + 1];
            __syncthreads();
        }
        for (int j = threadIdx.x; j < CELLS; j += 3)
            sum += s_stage[stage][j];
    }
    out[threadIdx.x] = sum;
}

// Half of the threads copy.
// pipelinify: launch by_half_of_them
//   sizes    n=0,256,512,768,1024
//   grid     1
//   block    64
//   in:      in  [n]
//   out:     out [64]
//   n:       n
//   requires n % 256 == 0
__global__ void by_half_of_them(const uint8_t *__restrict__ in, unsigned *__restrict__ out, int n)
{
    __shared__ uint8_t s_stage[2][CELLS];
    unsigned sum = 0;
    // pipelinify: ldg, 2 stages, source 1a069816
    int base = 0, stage = 0;
    if (base < n) {
        if (threadIdx.x < 32)
            for (int i = threadIdx.x; i < CELLS; i += 32)
                s_stage[0][i] = in[base + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += CELLS; base < n; base += CELLS) {
            uint8_t s_next[CELLS / 32];
            if (threadIdx.x < 32) {
                #pragma unroll
                for (int slot = 0; slot < CELLS / 32; ++slot) {
                    int i = threadIdx.x + slot * 32;
                    s_next[slot] = in[base + i];
                }
            }
            for (int j = threadIdx.x; j < CELLS; ++j)
                sum += s_stage[stage][j];
            stage ^= 1;
            if (threadIdx.x < 32) {
                #pragma unroll
                for (int slot = 0; slot < CELLS / 32; ++slot) {
                    int i = threadIdx.x + slot * 32;
                    s_stage[stage][i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        for (int j = threadIdx.x; j < CELLS; ++j)
            sum += s_stage[stage][j];
    }
    out[threadIdx.x] = sum;
}

// Which elements count is read from memory.
// pipelinify: launch masked
//   sizes    n=0,256,512,768,1024
//   grid     1
//   block    64
//   in:      in  [n]
//   keep:    in  [n] below(2)
//   out:     out [64]
//   n:       n
//   requires n % 256 == 0
__global__ void masked(const uint8_t *__restrict__ in, const int *__restrict__ keep,
                       unsigned *__restrict__ out, int n)
{
    __shared__ uint8_t s_stage[2][CELLS];
    unsigned sum = 0;
    // pipelinify: ldg, 2 stages, source f081ebe2
    int base = 0, stage = 0;
    if (base < n) {
        for (int i = threadIdx.x; i < CELLS; i += blockDim.x)
            s_stage[0][i] = keep[base + i] ? in[base + i] : 0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += CELLS; base < n; base += CELLS) {
            uint8_t s_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_next[slot] = keep[base + i] ? in[base + i] : 0;
            }
            for (int j = threadIdx.x; j < CELLS; j += 5)
                sum += s_stage[stage][j];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_stage[stage][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 4 * blockDim.x; i < CELLS; i += blockDim.x)
                s_stage[stage][i] = keep[base + i] ? in[base + i] : 0;
            __syncthreads();
        }
        for (int j = threadIdx.x; j < CELLS; j += 5)
            sum += s_stage[stage][j];
    }
    out[threadIdx.x] = sum;
}

// Where a window begins is read for each tile: it may begin anywhere.
// pipelinify: launch windows
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    64
//   in:      in  [1000]
//   first:   in  [n] below(700)
//   out:     out [64]
//   n:       n
__global__ void windows(const uint8_t *__restrict__ in, const int *__restrict__ first,
                        unsigned *__restrict__ out, int n)
{
    __shared__ uint8_t s_stage[2][CELLS];
    unsigned sum = 0;
    // pipelinify: ldg, 2 stages, source d2bc6e4c
    int w = 0, w_tile = w, stage = 0;
    if (w < n) {
        {
            const int from = first[w];
            for (int i = threadIdx.x; i < CELLS; i += blockDim.x)
                s_stage[0][i] = in[from + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++w; w < n; ++w) {
            uint8_t s_next[4];
            const int from = first[w];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_next[slot] = in[from + i];
            }
            for (int j = threadIdx.x; j < CELLS; j += 7)
                sum += s_stage[stage][j] + w_tile;
            ++w_tile;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < CELLS)
                    s_stage[stage][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 4 * blockDim.x; i < CELLS; i += blockDim.x)
                s_stage[stage][i] = in[from + i];
            __syncthreads();
        }
        for (int j = threadIdx.x; j < CELLS; j += 7)
            sum += s_stage[stage][j] + w_tile;
    }
    out[threadIdx.x] = sum;
}

// The window begins before the image: what unsigned numbers wrap to lies outside, too. Its
// margin decides what is aligned, and is asked.
// pipelinify: launch with_margin
//   sizes    n=256,303,512,700,1280,1600 margin=0,1,15,16,32
//   grid     1
//   block    64
//   in:      in  [n]
//   out:     out [64]
//   n:       n
//   margin:  margin
__global__ void with_margin(const uint8_t *__restrict__ in, unsigned *__restrict__ out,
                            unsigned n, unsigned margin)
{
    constexpr int stages = 3;
    __shared__ __align__(16) uint8_t s_stage[stages][CELLS];
    unsigned sum = 0;
    // pipelinify: cp.async, 3 stages, source c481c163
    // Whether 16 neighbouring elements can be one copy: all is aligned.
    const bool joined = CELLS % 16 == 0 && (size_t)in % 16 == 0 && margin % 16 == 0;
    unsigned base_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n + margin) {
            if (joined) {
                for (unsigned i = 16 * threadIdx.x; i < CELLS; i += 16 * blockDim.x) {
                    const unsigned at = base_load + i - margin;
                    if (at < n && n - at > 15) {
                        __pipeline_memcpy_async(&s_stage[load_stage][i], &in[at], 16);
                    } else {
                        for (int each = 0; each < 16; ++each) {
                            if (at + each < n)
                                (&s_stage[load_stage][i])[each] = (&in[at])[each];
                            else
                                (&s_stage[load_stage][i])[each] = 0;
                        }
                    }
                }
            } else {
                for (unsigned i = threadIdx.x; i < CELLS; i += blockDim.x) {
                    const unsigned at = base_load + i - margin;
                    s_stage[load_stage][i] = at < n ? in[at] : 0;
                }
            }
            base_load += CELLS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned base = 0; base < n + margin; base += CELLS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned j = threadIdx.x; j < CELLS; j += 9)
            sum = 3 * sum + s_stage[stage][j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// The owner wants the tile aligned to four bytes, no more.
// pipelinify: launch rows_repeat
//   sizes    n=0,128,256,384,512,640
//   grid     1
//   block    16, 2
//   in:      in  [2 * n]
//   out:     out [32]
//   n:       n
//   requires n % 128 == 0
__global__ void rows_repeat(const int8_t *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ __align__(4) int8_t s_stage[2][2][128];
    int sum = 0;
    const int x = threadIdx.x, y = threadIdx.y;
    // pipelinify: ldg, 2 stages, source 19636818
    int base = 0, stage = 0;
    if (base < n) {
        for (int i = x; i < 128; i += blockDim.x)
            s_stage[0][y][i] = in[y * n + base + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 128; base < n; base += 128) {
            int8_t s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = x + slot * blockDim.x;
                if (i < 128)
                    s_next[slot] = in[y * n + base + i];
            }
            for (int j = x; j < 128; j += 2)
                sum += s_stage[stage][1 - y][j] * j;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = x + slot * blockDim.x;
                if (i < 128)
                    s_stage[stage][y][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = x + 8 * blockDim.x; i < 128; i += blockDim.x)
                s_stage[stage][y][i] = in[y * n + base + i];
            __syncthreads();
        }
        for (int j = x; j < 128; j += 2)
            sum += s_stage[stage][1 - y][j] * j;
    }
    out[y * 16 + x] = sum;
}

// Where the limit is the largest number, what has wrapped is below it, but for one.
// pipelinify: launch no_limit
//   sizes    tiles=0,1,2,3,4,5,7,9 limit=20,28,29,4294967295
//   grid     1
//   block    64
//   in:      in  [256 * tiles]
//   out:     out [64]
//   tiles:   tiles
//   limit:   limit
__global__ void no_limit(const uint8_t *__restrict__ in, unsigned *__restrict__ out, int tiles,
                         unsigned limit)
{
    constexpr int stages = 3;
    __shared__ __align__(16) uint8_t s_stage[stages][CELLS];
    unsigned sum = 0;
    // pipelinify: cp.async, 3 stages, source 32374371
    // Whether 16 neighbouring elements can be one copy: all is aligned.
    const bool joined = CELLS % 16 == 0 && (size_t)in % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            if (joined) {
                for (unsigned i = 16 * threadIdx.x; i < CELLS; i += 16 * blockDim.x) {
                    if (i % 32 - 3 < limit && limit - (i % 32 - 3) > 15) {
                        __pipeline_memcpy_async(&s_stage[load_stage][i], &in[t_load * CELLS + i],
                                                16);
                    } else {
                        for (int each = 0; each < 16; ++each) {
                            if (i % 32 - 3 + each < limit)
                                (&s_stage[load_stage][i])[each] = (&in[t_load * CELLS + i])[each];
                            else
                                (&s_stage[load_stage][i])[each] = 0;
                        }
                    }
                }
            } else {
                for (unsigned i = threadIdx.x; i < CELLS; i += blockDim.x)
                    s_stage[load_stage][i] = i % 32 - 3 < limit ? in[t_load * CELLS + i] : 0;
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned j = threadIdx.x; j < CELLS; j += 5)
            sum = 3 * sum + s_stage[stage][j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
