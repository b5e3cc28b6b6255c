// Tiles that compute changes where they lie, behind barriers of its own: by a factor, by a softmax, in functions two
// calls down, through a row's pointer, through a lambda, by atomic votes, and by a second fill from another operand.
#include <cuda_runtime.h>
#include <math.h>

#define TILE 16

// pipelinify: launch normalized_gram
//   sizes    n=16,48 d=0,16,32,80,128
//   target   n=16384 d=1024
//   grid     n / 16
//   block    16, 16
//   X:       in  [n * d]
//   inv:     in  [d]
//   G:       out [n * 16]
//   n:       16
//   d:       d
__global__ void normalized_gram(const float *__restrict__ X, const float *__restrict__ inv,
                                float *__restrict__ G, int n, int d)
{
    __shared__ float tile[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float g = 0.f;
    // pipelinify: ldg-single, 1 stage, source 7d788b42
    int k = 0, k_tile = k;
    if (k < d) {
        auto compute_tile = [&]() {
            tile[ty][tx] *= inv[k_tile + tx];
            __syncthreads();
            for (int j = 0; j < TILE; ++j)
                g += tile[ty][j] * tile[tx][j];
        };
        tile[ty][tx] = X[(blockIdx.x * TILE + ty) * d + k + tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < d; k += TILE) {
            float tile_next = X[(blockIdx.x * TILE + ty) * d + k + tx];
            compute_tile();
            k_tile += TILE;
            __syncthreads();
            tile[ty][tx] = tile_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    G[(blockIdx.x * TILE + ty) * n + tx] = g;
}

// pipelinify: launch softmax_rows
//   sizes    rows=32,64 tiles=0,1,2,3,5
//   target   rows=8192 tiles=64
//   grid     rows / 32
//   block    32
//   S:       in  [rows * tiles * 32]
//   V:       in  [tiles * 32]
//   O:       out [rows]
//   tiles:   tiles
__global__ void softmax_rows(const float *__restrict__ S, const float *__restrict__ V, float *__restrict__ O, int tiles)
{
    constexpr int W = 32;
    __shared__ float s[W][W + 1];
    __shared__ float v[W];
    const int t = threadIdx.x;
    float m = -INFINITY, l = 0.f, o = 0.f;

    // pipelinify: ldg-single, 1 stage, source 19d16626
    int tile = 0;
    if (tile < tiles) {
        auto compute_tile = [&]() {
            float mNew = m;
            for (int j = 0; j < W; ++j) mNew = fmaxf(mNew, s[t][j]);
            for (int j = 0; j < W; ++j) s[t][j] = expf(s[t][j] - mNew);
            const float fix = expf(m - mNew);
            l *= fix;
            o *= fix;
            for (int j = 0; j < W; ++j) {
                l += s[t][j];
                o += s[t][j] * v[j];
            }
            m = mNew;
        };
        for (int r = 0; r < W; ++r)
            s[r][t] = S[(size_t)(blockIdx.x * W + r) * tiles * W + tile * W + t];
        v[t] = V[tile * W + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float s_next[W];
            #pragma unroll
            for (int r = 0; r < W; ++r)
                s_next[r] = S[(size_t)(blockIdx.x * W + r) * tiles * W + tile * W + t];
            float v_next = V[tile * W + t];
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < W; ++r)
                s[r][t] = s_next[r];
            v[t] = v_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    O[blockIdx.x * W + t] = l > 0.f ? o / l : 0.f;
}

__device__ inline void order(float &a, float &b)
{
    const float lo = fminf(a, b);
    b = fmaxf(a, b);
    a = lo;
}

__device__ void sort8(float (*col)[64], int c)
{
    for (int pass = 0; pass < 8; ++pass)
        for (int r = pass & 1; r + 1 < 8; r += 2)
            order(col[r][c], col[r + 1][c]);
}

// pipelinify: launch median_of_eight
//   sizes    blocks=1,2 groups=0,1,2,3
//   target   blocks=512 groups=64
//   grid     blocks
//   block    64
//   frames:  in  [8 * groups * blocks * 64]
//   med:     out [blocks * 64]
//   groups:  groups
//   pitch:   blocks * 64
__global__ void median_of_eight(const float *__restrict__ frames, float *__restrict__ med, int groups, int pitch)
{
    __shared__ float frame[8][64];
    const int x = blockIdx.x * 64 + threadIdx.x;
    float total = 0.f;
    // pipelinify: ldg-single, 1 stage, source 2b456207
    int g = 0;
    if (g < groups) {
        for (int f = 0; f < 8; ++f)
            frame[f][threadIdx.x] = frames[(g * 8 + f) * pitch + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++g; g < groups; ++g) {
            float frame_next[8];
            #pragma unroll
            for (int f = 0; f < 8; ++f)
                frame_next[f] = frames[(g * 8 + f) * pitch + x];
            sort8(frame, threadIdx.x);
            __syncthreads();
            total += frame[3][threadIdx.x] + frame[4][63 - threadIdx.x];
            __syncthreads();
            #pragma unroll
            for (int f = 0; f < 8; ++f)
                frame[f][threadIdx.x] = frame_next[f];
            __syncthreads();
        }
        sort8(frame, threadIdx.x);
        __syncthreads();
        total += frame[3][threadIdx.x] + frame[4][63 - threadIdx.x];
        __syncthreads();
    }
    med[x] = total;
}

// pipelinify: launch clip_and_sum<16>
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     2
//   block    16, 16
//   src:     in  [tiles * 256]
//   dst:     out [512]
//   tiles:   tiles
//   cap:     0.5
template <int N>
__global__ void clip_and_sum(const float *__restrict__ src, float *__restrict__ dst, int tiles, float cap)
{
    __shared__ float block[N][N];
    const int i = threadIdx.y, j = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 644d2993
    int t = 0;
    if (t < tiles) {
        auto compute_tile = [&]() {
            float *mine = block[i];
            mine[j] = fminf(mine[j], cap);
            __syncthreads();
            for (int k = 0; k < N; ++k)
                sum += block[k][j];
        };
        block[i][j] = src[(t * N + i) * N + j];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float block_next = src[(t * N + i) * N + j];
            compute_tile();
            __syncthreads();
            block[i][j] = block_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    dst[(blockIdx.x * N + i) * N + j] = sum;
}

template __global__ void clip_and_sum<16>(const float *, float *, int, float);

// pipelinify: launch damped_sum
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     2
//   block    64
//   x:       in  [tiles * 64]
//   out:     out [128]
//   tiles:   tiles
__global__ void damped_sum(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    // pipelinify: ldg-single, 1 stage, source cfbe5c03
    int k = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            auto damp = [&](int j) { tile[j] *= 0.5f; };
            damp(t);
            acc += tile[t];
        };
        tile[t] = x[k * 64 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float tile_next = x[k * 64 + t];
            compute_tile();
            __syncthreads();
            tile[t] = tile_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}

// pipelinify: launch vote_tiles
//   sizes    rounds=0,1,2,3,5
//   target   rounds=4096
//   grid     2
//   block    128
//   votes:   in  [rounds * 128] below(9)
//   cand:    in  [rounds * 128] below(128)
//   best:    out [256]
//   rounds:  rounds
__global__ void vote_tiles(const int *__restrict__ votes, const int *__restrict__ cand, int *__restrict__ best,
                           int rounds)
{
    __shared__ int tally[128];
    const int me = threadIdx.x;
    int top = 0;

    // pipelinify: ldg-single, 1 stage, source 11587556
    int r = 0, r_tile = r;
    if (r < rounds) {
        tally[me] = votes[r * 128 + me];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r++; r < rounds; r++) {
            int tally_next = votes[r * 128 + me];
            atomicAdd(&tally[cand[r_tile * 128 + me] & 127], 1);
            __syncthreads();
            top = max(top, tally[127 - me]);
            r_tile++;
            __syncthreads();
            tally[me] = tally_next;
            __syncthreads();
        }
        atomicAdd(&tally[cand[r_tile * 128 + me] & 127], 1);
        __syncthreads();
        top = max(top, tally[127 - me]);
    }
    best[blockIdx.x * 128 + me] = top;
}

// pipelinify: launch alternate_operands
//   sizes    rounds=0,1,2,3,5
//   target   rounds=2048
//   grid     1
//   block    64
//   left:    in  [rounds * 64]
//   right:   in  [rounds * 64]
//   out:     out [64]
//   rounds:  rounds
__global__ void alternate_operands(const float *__restrict__ left, const float *__restrict__ right,
                                   float *__restrict__ out, int rounds)
{
    __shared__ float operand[64];
    float dot = 0.f;
    // pipelinify: ldg-single, 1 stage, source 7918de16
    int r = 0, r_tile = r;
    if (r < rounds) {
        auto compute_tile = [&]() {
            for (int k = 0; k < 64; ++k)
                dot += operand[k];
            __syncthreads();
            operand[threadIdx.x] = right[r_tile * 64 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < 64; ++k)
                dot -= operand[k] * 0.5f;
        };
        operand[threadIdx.x] = left[r * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rounds; ++r) {
            float operand_next = left[r * 64 + threadIdx.x];
            compute_tile();
            ++r_tile;
            __syncthreads();
            operand[threadIdx.x] = operand_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = dot;
}
