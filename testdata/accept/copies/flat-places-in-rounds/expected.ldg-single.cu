// Copy loops that count rounds: which cell a thread copies in each is a local of the loop's body.
#include <cuda_fp16.h>

constexpr int kThreads = 128;
#define ROWS 32
#define DEPTH 32

// pipelinify: launch half_gemm
//   sizes  M=32,45 N=32,64 K=0,32,64,96,128,200
//   sizes  M=70 N=40 K=24
//   grid   (N + 31) / 32, (M + 31) / 32
//   block  128
//   target M=2048 N=2048 K=2048
//   a: in  [M * K] random
//   b: in  [K * N] random
//   c: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void __launch_bounds__(kThreads)
half_gemm(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c,
          int M, int N, int K)
{
    __shared__ __half as[ROWS][DEPTH];
    __shared__ __half bs[DEPTH][32];
    const int tid = threadIdx.x;
    const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * 32;
    float acc[8] = {};
    // pipelinify: ldg-single, 1 stage, source 3301a451
    int k0 = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            for (int k = 0; k < DEPTH; ++k) {
                const float v = __half2float(as[tid / 4][k]);
                for (int j = 0; j < 8; ++j)
                    acc[j] += v * __half2float(bs[k][tid % 4 * 8 + j]);
            }
        };
#pragma unroll
        for (int i = 0; i < ROWS * DEPTH / kThreads; ++i) {
            const int at = tid + i * kThreads;
            const int r = at / DEPTH, k = at % DEPTH;
            as[r][k] = row0 + r < M && k0 + k < K ? a[(row0 + r) * K + k0 + k] : __half(0.f);
        }
#pragma unroll
        for (int i = 0; i < DEPTH * 32 / kThreads; ++i) {
            const int at = tid + i * kThreads;
            const int k = at / 32, n = at % 32;
            if (k0 + k < K && col0 + n < N)
                bs[k][n] = b[(k0 + k) * N + col0 + n];
            else
                bs[k][n] = __half(0.f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += DEPTH; k0 < K; k0 += DEPTH) {
            __half as_next[ROWS * DEPTH / kThreads];
            __half bs_next[DEPTH * 32 / kThreads];
#pragma unroll
            for (int i = 0; i < ROWS * DEPTH / kThreads; ++i) {
                const int at = tid + i * kThreads;
                const int r = at / DEPTH, k = at % DEPTH;
                as_next[i] = __half(0.f);
                if (row0 + r < M && k0 + k < K)
                    as_next[i] = a[(row0 + r) * K + k0 + k];
            }
#pragma unroll
            for (int i = 0; i < DEPTH * 32 / kThreads; ++i) {
                const int at = tid + i * kThreads;
                const int k = at / 32, n = at % 32;
                if (k0 + k < K && col0 + n < N)
                    bs_next[i] = b[(k0 + k) * N + col0 + n];
                else
                    bs_next[i] = __half(0.f);
            }
            compute_tile();
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ROWS * DEPTH / kThreads; ++i) {
                const int at = tid + i * kThreads;
                const int r = at / DEPTH, k = at % DEPTH;
                as[r][k] = as_next[i];
            }
#pragma unroll
            for (int i = 0; i < DEPTH * 32 / kThreads; ++i) {
                const int at = tid + i * kThreads;
                const int k = at / 32, n = at % 32;
                bs[k][n] = bs_next[i];
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int j = 0; j < 8; ++j)
        if (row0 + tid / 4 < M && col0 + tid % 4 * 8 + j < N)
            c[(row0 + tid / 4) * N + col0 + tid % 4 * 8 + j] = acc[j];
}

// The rounds step by cells, and the last one is cut short. The block is one of rows.
// pipelinify: launch byte_sums
//   sizes  tiles=0,1,2,3,4,5,8 pitch=1040,1000,1003 rows=4,8
//   grid   2
//   block  32, rows
//   in:    in  [(tiles + 1) * 1040]
//   out:   out [2 * 32]
//   tiles: tiles
//   pitch: pitch
__global__ void byte_sums(const unsigned char *__restrict__ in, int *__restrict__ out, int tiles,
                          int pitch)
{
    __shared__ unsigned char s[1000];
    const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 2a79f4f6
    int t = 0;
    if (t < tiles) {
        for (unsigned i = 0; i < 1024; i += 128) {
            unsigned cell = i + rank;
            if (cell < 992) {
                s[cell] = in[t * pitch + cell];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            unsigned char s_next[8];
            #pragma unroll
            for (unsigned i = 0; i < 1024; i += 128) {
                unsigned cell = i + rank;
                if (cell < 992) {
                    s_next[i / 128] = in[t * pitch + cell];
                }
            }
            for (int j = threadIdx.x; j < 992; j += 32)
                sum = 3 * sum + s[j];
            __syncthreads();
            #pragma unroll
            for (unsigned i = 0; i < 1024; i += 128) {
                unsigned cell = i + rank;
                if (cell < 992) {
                    s[cell] = s_next[i / 128];
                }
            }
            __syncthreads();
        }
        for (int j = threadIdx.x; j < 992; j += 32)
            sum = 3 * sum + s[j];
    }
    if (threadIdx.y == 0)
        out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// As many rounds and threads as a template says, of a float a thread each.
// pipelinify: launch nearest<2, 64, 256>
//   sizes  tiles=0,1,2,3,4,5,7 skew=0,4,1
//   grid   2
//   block  64
//   target tiles=4096 skew=0
//   points: in  [tiles * 256 + skew]
//   out:    out [2 * 64]
//   tiles:  tiles
//   skew:   skew
// pipelinify: launch nearest<3, 64, 192>
//   sizes  tiles=0,1,2,3,4,5,7 skew=0,4,1
//   grid   2
//   block  64
//   points: in  [tiles * 192 + skew]
//   out:    out [2 * 64]
//   tiles:  tiles
//   skew:   skew
template <int PARTS, int THREADS, int CELLS>
__global__ void nearest(const float *__restrict__ points, float *__restrict__ out, int tiles, int skew)
{
    __shared__ float s[CELLS];
    float best = 1e30f;
    const float mine = 0.01f * threadIdx.x + blockIdx.x;
    // pipelinify: ldg-single, 1 stage, source 68ad3b07
    int t = 0;
    if (t < tiles) {
        auto compute_tile = [&]() {
            for (int j = 0; j < CELLS; j += PARTS) {
                float d = 0.f;
                for (int q = 0; q < PARTS && j + q < CELLS; ++q)
                    d += (s[j + q] - mine) * (s[j + q] - mine);
                best = fminf(best, d);
            }
        };
        for (int round = 0; round < CELLS / THREADS; round++) {
            int p = round * THREADS + threadIdx.x;
            s[p] = points[skew + t * CELLS + p];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            float s_next[CELLS / THREADS];
            #pragma unroll
            for (int round = 0; round < CELLS / THREADS; round++) {
                int p = round * THREADS + threadIdx.x;
                s_next[round] = points[skew + t * CELLS + p];
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int round = 0; round < CELLS / THREADS; round++) {
                int p = round * THREADS + threadIdx.x;
                s[p] = s_next[round];
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = best;
}
template __global__ void nearest<2, 64, 256>(const float *, float *, int, int);
template __global__ void nearest<3, 64, 192>(const float *, float *, int, int);

// The round itself is named too: as it stands.
// pipelinify: launch by_round
//   sizes  tiles=0,1,2,3,5
//   grid   1
//   block  64
//   in:    in  [tiles * 512]
//   out:   out [64]
//   tiles: tiles
__global__ void by_round(const short *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ short s[512];
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 2472677f
    int t = 0;
    if (t < tiles) {
        for (int i = 0; i < 8; ++i) {
            int at = threadIdx.x + i * 64;
            s[at ^ i] = in[t * 512 + at];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            short s_next[8];
            #pragma unroll
            for (int i = 0; i < 8; ++i) {
                int at = threadIdx.x + i * 64;
                s_next[i] = in[t * 512 + at];
            }
            for (int j = 0; j < 8; ++j)
                sum = 5 * sum + s[threadIdx.x * 8 + j];
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 8; ++i) {
                int at = threadIdx.x + i * 64;
                s[at ^ i] = s_next[i];
            }
            __syncthreads();
        }
        for (int j = 0; j < 8; ++j)
            sum = 5 * sum + s[threadIdx.x * 8 + j];
    }
    out[threadIdx.x] = sum;
}

// How many threads there are is told, and how many rounds.
// pipelinify: launch told
//   sizes  tiles=0,1,2,3,5,6 threads=64,48,96 rounds=4,3
//   grid   1
//   block  64
//   in:    in  [tiles * threads * rounds + 64]
//   out:   out [64]
//   tiles: tiles
//   threads: threads
//   rounds: rounds
__global__ void told(const short *__restrict__ in, int *__restrict__ out, int tiles, int threads,
                     int rounds)
{
    __shared__ short s[448];
    int sum = 0;
    for (int j = threadIdx.x; j < 448; j += 64)
        s[j] = 0;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 296e8ce3
    int t = 0;
    if (t < tiles) {
        for (int i = 0; i < rounds; ++i) {
            const int at = i * threads + threadIdx.x;
            s[at] = in[t * threads * rounds + at];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            short s_next[8];
            #pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (i < rounds) {
                    const int at = i * threads + threadIdx.x;
                    s_next[i] = in[t * threads * rounds + at];
                }
            }
            for (int j = 0; j < 7; ++j)
                sum = 5 * sum + s[threadIdx.x * 7 + j];
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (i < rounds) {
                    const int at = i * threads + threadIdx.x;
                    s[at] = s_next[i];
                }
            }
            // What has not been fetched ahead.
            for (int i = 8; i < rounds; ++i) {
                const int at = i * threads + threadIdx.x;
                s[at] = in[t * threads * rounds + at];
            }
            __syncthreads();
        }
        for (int j = 0; j < 7; ++j)
            sum = 5 * sum + s[threadIdx.x * 7 + j];
    }
    out[threadIdx.x] = sum;
}
