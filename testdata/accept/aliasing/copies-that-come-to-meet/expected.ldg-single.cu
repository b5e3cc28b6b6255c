#include <cuda_runtime.h>

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
    // pipelinify: ldg-single, 1 stage, source e23dbd0d
    int k = 0;
    if (k < tiles) {
        for (int j = t; j < w; j += T)
            s[j] = x[k * 160 + j];
        for (int j = t; j < w - 5; j += T)
            s[j] = x[k * 160 + j + 64];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next[2];
            float s_next2[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s_next[slot] = x[k * 160 + j];
            }
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int j = t + slot * T;
                if (j < w - 5)
                    s_next2[slot] = x[k * 160 + j + 64];
            }
            for (int j = 0; j < w; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s[j] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int j = t + 2 * T; j < w; j += T)
                s[j] = x[k * 160 + j];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int j = t + slot * T;
                if (j < w - 5)
                    s[j] = s_next2[slot];
            }
            // What has not been fetched ahead.
            for (int j = t + 2 * T; j < w - 5; j += T)
                s[j] = x[k * 160 + j + 64];
            __syncthreads();
        }
        for (int j = 0; j < w; ++j)
            sum += s[j] * (j + 1);
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
    __shared__ float s[2][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 1895a6dd
    int k = 0;
    if (k < tiles) {
        for (int j = t; j < w; j += T)
            s[0][j] = x[k * 160 + j];
        for (int j = t; j < w; j += T)
            s[1][j] = x[k * 160 + j + 64];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next[8];
            float s_next2[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s_next[slot] = x[k * 160 + j];
            }
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s_next2[slot] = x[k * 160 + j + 64];
            }
            for (int j = 0; j < w; ++j)
                sum += s[0][j] * s[1][w - 1 - j];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s[0][j] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int j = t + 8 * T; j < w; j += T)
                s[0][j] = x[k * 160 + j];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int j = t + slot * T;
                if (j < w)
                    s[1][j] = s_next2[slot];
            }
            // What has not been fetched ahead.
            for (int j = t + 8 * T; j < w; j += T)
                s[1][j] = x[k * 160 + j + 64];
            __syncthreads();
        }
        for (int j = 0; j < w; ++j)
            sum += s[0][j] * s[1][w - 1 - j];
    }
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
    // pipelinify: ldg-single, 1 stage, source c3995aed
    int k = 0;
    if (k < tiles) {
        for (int r = 0; r < h; ++r)
            for (int j = t; j < w; j += T)
                s[r * 32 + j] = x[k * 160 + r * 77 + j];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next[4][2];
            #pragma unroll
            for (int r = 0; r < 4; ++r) {
                if (r < h) {
                    #pragma unroll
                    for (int slot = 0; slot < 2; ++slot) {
                        int j = t + slot * T;
                        if (j < w)
                            s_next[r][slot] = x[k * 160 + r * 77 + j];
                    }
                }
            }
            for (int j = 0; j < 32 * (h - 1) + w; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < 4; ++r) {
                if (r < h) {
                    #pragma unroll
                    for (int slot = 0; slot < 2; ++slot) {
                        int j = t + slot * T;
                        if (j < w)
                            s[r * 32 + j] = s_next[r][slot];
                    }
                    // What has not been fetched ahead.
                    for (int j = t + 2 * T; j < w; j += T)
                        s[r * 32 + j] = x[k * 160 + r * 77 + j];
                }
            }
            // What has not been fetched ahead.
            for (int r = 4; r < h; ++r)
                for (int j = t; j < w; j += T)
                    s[r * 32 + j] = x[k * 160 + r * 77 + j];
            __syncthreads();
        }
        for (int j = 0; j < 32 * (h - 1) + w; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source a2cb1d1c
    int k = 0;
    if (k < tiles) {
        {
            int at = t;
            if (t & 16)
                at += T;
            s[t] = x[k * T + t];
            s[at] = x[k * T + t + 40];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            int at = t;
            if (t & 16)
                at += T;
            float s_next = x[k * T + t];
            float s_next2 = x[k * T + t + 40];
            for (int j = 0; j < T; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            s[t] = s_next;
            s[at] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source c7d2bc7c
    int k = 0;
    if (k < tiles) {
        {
            const unsigned char at = t + 256;
            s[t] = x[k * T + t];
            s[at] = x[k * T + t + 40];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            const unsigned char at = t + 256;
            float s_next = x[k * T + t];
            float s_next2 = x[k * T + t + 40];
            for (int j = 0; j < T; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            s[t] = s_next;
            s[at] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source aab3fe23
    int k = 0;
    if (k < tiles) {
        {
            place at = {T, t};
            s[at.row + at.column] = x[k * T + t];
            at.row = 0;
            s[at.row + at.column + T] = x[k * T + t + 3];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            float s_next2 = x[k * T + t + 3];
            for (int j = T; j < 2 * T; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            {
                place at = {T, t};
                s[at.row + at.column] = s_next;
                at.row = 0;
                s[at.row + at.column + T] = s_next2;
            }
            __syncthreads();
        }
        for (int j = T; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source 82a553fe
    int k = 0;
    if (k < tiles) {
        for (int part = 0; part < 2; ++part)
            s[t + T * part + detour(part)] = x[k * T + t + 5 * part];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next[2];
            #pragma unroll
            for (int part = 0; part < 2; ++part)
                s_next[part] = x[k * T + t + 5 * part];
            for (int j = T; j < 2 * T; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            #pragma unroll
            for (int part = 0; part < 2; ++part)
                s[t + T * part + detour(part)] = s_next[part];
            __syncthreads();
        }
        for (int j = T; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source 07bf3343
    int k = 0;
    if (k < tiles) {
        {
            int row = 0;
            for (int i = 0; i < 3; ++i) {
                s[t + T * row] = x[k * T + t + i];
                if (i == 1)
                    continue;
                ++row;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next[3];
            #pragma unroll
            for (int i = 0, slot = 0; slot < 3 && i < 3; ++i, ++slot) {
                s_next[slot] = x[k * T + t + i];
                if (i == 1)
                    continue;
            }
            for (int j = 0; j < 2 * T; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            {
                int row = 0;
                #pragma unroll
                for (int i = 0, slot = 0; slot < 3 && i < 3; ++i, ++slot) {
                    s[t + T * row] = s_next[slot];
                    if (i == 1)
                        continue;
                    ++row;
                }
            }
            __syncthreads();
        }
        for (int j = 0; j < 2 * T; ++j)
            sum += s[j] * (j + 1);
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
    // pipelinify: ldg-single, 1 stage, source 7cf73c5e
    int k = 0;
    if (k < tiles) {
        s[t] = x[k * 160 + t];
        s[(t + blockDim.x) & 63] = x[k * 160 + t + 40];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * 160 + t];
            float s_next2 = x[k * 160 + t + 40];
            for (int j = 0; j < 64; ++j)
                sum += s[j] * (j + 1);
            __syncthreads();
            s[t] = s_next;
            s[(t + blockDim.x) & 63] = s_next2;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j + 1);
    }
    out[t] = sum;
}

void run_both(const float *x, float *out, int tiles)
{
    past_the_block<<<1, 64>>>(x, out, tiles);
    past_the_block<<<1, 96>>>(x, out, tiles);
}
