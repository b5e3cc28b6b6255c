#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 32

// The second loop stores again to cells of the first one: how often each runs is
// known to a launch alone.
// pipelinify: launch corrected
//   sizes    tiles=0,1,2,3,5 w=30,64
//   target   tiles=4096 w=64
//   block    T
//   let      T = 32
//   x:       in [tiles * 160 + 160] random
//   out:     out [T]
//   tiles:   tiles
//   w:       w
__global__ void corrected(const float *__restrict__ x, float *__restrict__ out,
                          int tiles, int w)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (int j = t; j < w; j += T)
            s[j] = x[k * 160 + j];
        for (int j = t; j < w - 5; j += T)
            s[j] = x[k * 160 + j + 64];
        __syncthreads();
        for (int j = 0; j < w; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

// Rows of their own: they do not meet.
// pipelinify: launch beside
//   sizes    tiles=0,1,2,3,5 w=30,64
//   target   tiles=4096 w=64
//   block    T
//   let      T = 32
//   x:       in [tiles * 160 + 160] random
//   out:     out [T]
//   tiles:   tiles
//   w:       w
__global__ void beside(const float *__restrict__ x, float *__restrict__ out,
                       int tiles, int w)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][2][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 1895a6dd
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int j = t; j < w; j += T)
                __pipeline_memcpy_async(&s_stage[load_stage][0][j], &x[k_load * 160 + j],
                                        sizeof(float));
            for (int j = t; j < w; j += T)
                __pipeline_memcpy_async(&s_stage[load_stage][1][j], &x[k_load * 160 + j + 64],
                                        sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < w; ++j)
            sum += s_stage[stage][0][j] * s_stage[stage][1][w - 1 - j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}

// Rows that are longer than their distance.
// pipelinify: launch overlapping
//   sizes    tiles=0,1,2,3,5 h=3 w=40
//   target   tiles=4096 h=3 w=40
//   block    T
//   let      T = 32
//   x:       in [tiles * 160 + 320] random
//   out:     out [T]
//   tiles:   tiles
//   h:       h
//   w:       w
__global__ void overlapping(const float *__restrict__ x, float *__restrict__ out,
                            int tiles, int h, int w)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (int r = 0; r < h; ++r)
            for (int j = t; j < w; j += T)
                s[r * 32 + j] = x[k * 160 + r * 77 + j];
        __syncthreads();
        for (int j = 0; j < 32 * (h - 1) + w; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

// Half of the threads move their second cell away.
// pipelinify: launch half_moved
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 32
//   x:       in [tiles * T + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void half_moved(const float *__restrict__ x, float *__restrict__ out,
                           int tiles)
{
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int at = t;
        if (t & 16)
            at += T;
        s[t] = x[k * T + t];
        s[at] = x[k * T + t + 40];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

// A byte holds the same number again 256 further on.
// pipelinify: launch round_about
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 32
//   x:       in [tiles * T + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void round_about(const float *__restrict__ x, float *__restrict__ out,
                            int tiles)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        const unsigned char at = t + 256;
        s[t] = x[k * T + t];
        s[at] = x[k * T + t + 40];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

struct place {
    int row, column;
};

// The same expression twice; in between, a member of what it names changes.
// pipelinify: launch moved_place
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 32
//   x:       in [tiles * T + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void moved_place(const float *__restrict__ x, float *__restrict__ out,
                            int tiles)
{
    __shared__ float s[4 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        place at = {T, t};
        s[at.row + at.column] = x[k * T + t];
        at.row = 0;
        s[at.row + at.column + T] = x[k * T + t + 3];
        __syncthreads();
        for (int j = T; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

__device__ int detour(int part)
{
    if (part == 0)
        return T;
    return 0;
}

// What a function of several statements gives back brings both to one cell.
// pipelinify: launch by_detour
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 32
//   x:       in [tiles * T + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void by_detour(const float *__restrict__ x, float *__restrict__ out,
                          int tiles)
{
    __shared__ float s[4 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (int part = 0; part < 2; ++part)
            s[t + T * part + detour(part)] = x[k * T + t + 5 * part];
        __syncthreads();
        for (int j = T; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

// One iteration does not move on.
// pipelinify: launch stays_once
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 32
//   x:       in [tiles * T + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void stays_once(const float *__restrict__ x, float *__restrict__ out,
                           int tiles)
{
    __shared__ float s[4 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int row = 0;
        for (int i = 0; i < 3; ++i) {
            s[t + T * row] = x[k * T + t + i];
            if (i == 1)
                continue;
            ++row;
        }
        __syncthreads();
        for (int j = 0; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

// Blocks of 64 threads come to meet, those of 96 do not.
// pipelinify: launch past_the_block
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   block    T
//   let      T = 64
//   x:       in [tiles * 160 + 160] random
//   out:     out [T]
//   tiles:   tiles
__global__ void past_the_block(const float *__restrict__ x, float *__restrict__ out,
                               int tiles)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * 160 + t];
        s[(t + blockDim.x) & 63] = x[k * 160 + t + 40];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j + 1);
        __syncthreads();
    }
    out[t] = sum;
}

void run_both(const float *x, float *out, int tiles)
{
    past_the_block<<<1, 64>>>(x, out, tiles);
    past_the_block<<<1, 96>>>(x, out, tiles);
}
