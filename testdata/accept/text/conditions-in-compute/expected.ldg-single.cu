// Scores of queries against documents, for devices old and new: what the loops hold differs
// from build to build, by architecture and by what is switched on.
#include <cuda_runtime.h>

#define DOCS 32
#define DIM 8

// pipelinify: launch best_score
//   sizes    nq=1,64,70 nd=0,1,31,32,64,65,100,160
//   target   nq=65536 nd=8192
//   grid     (nq + 63) / 64
//   block    64
//   queries: in  [nq * 8]  range(-1, 1)
//   docs:    in  [nd * 8]  range(-1, 1)
//   best:    out [nq]
//   nq:      nq
//   nd:      nd
__global__ void best_score(const float *__restrict__ queries, const float *__restrict__ docs,
                           float *__restrict__ best, int nq, int nd)
{
    __shared__ float tile[DOCS][DIM];
    const int q = blockIdx.x * 64 + threadIdx.x;
    float mine[DIM];
    for (int d = 0; d < DIM; ++d)
        mine[d] = q < nq ? queries[q * DIM + d] : 0.f;

    float top = -1e30f;
#ifdef COUNT_TILES
    int tiles = 0;
#endif
    // pipelinify: ldg-single, 1 stage, source c97db2c5
    int first = 0, first_tile = first;
    if (first < nd) {
        auto compute_tile = [&]() {
            auto &first = first_tile;
            // The last tile may be ragged.
            const int here = min(DOCS, nd - first);
            for (int j = 0; j < here; ++j) {
                float s = 0.f;
#if !defined(NO_UNROLL)
#pragma unroll
#endif
                for (int d = 0; d < DIM; ++d) {
#if __CUDA_ARCH__ >= 800
                    s = __fmaf_rn(mine[d], tile[j][d], s);
#elif __CUDA_ARCH__ >= 200
                    s = fmaf(mine[d], tile[j][d], s);
#else
                    s += mine[d] * tile[j][d];
#endif
                }
                top = fmaxf(top, s);
            }
#ifdef COUNT_TILES // for the profile in the wiki
            ++tiles;
            if (q == 0)
                printf("%d tiles\n", tiles);
#endif
        };
        for (int i = threadIdx.x; i < DOCS * DIM; i += 64) {
            const int doc = first + i / DIM;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
            tile[i / DIM][i % DIM] = doc < nd ? docs[doc * DIM + i % DIM] : 0.f;
#else /* no read-only cache */
            tile[i / DIM][i % DIM] = doc < nd ? docs[doc * DIM + i % DIM] : 0.f;
#endif
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += DOCS; first < nd; first += DOCS) {
            float tile_next[DOCS * DIM / 64];
#pragma unroll
            for (int slot = 0; slot < DOCS * DIM / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                const int doc = first + i / DIM;
                tile_next[slot] = doc < nd ? docs[doc * DIM + i % DIM] : 0.f;
            }
            compute_tile();
            first_tile += DOCS;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < DOCS * DIM / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                tile[i / DIM][i % DIM] = tile_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    if (q < nq)
        best[q] = top;
}

// pipelinify: launch soft_total
//   sizes    n=0,1,63,64,65,128,190,321
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [n]  range(0, 1)
//   y:       out [2 * 64]
//   n:       n
__global__ void soft_total(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f, scale = 1.f;
    // pipelinify: ldg-single, 1 stage, source 58ed509d
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
#if 1 /* the damped form of 2024 */
            scale *= 0.5f;
#endif
#ifdef REVERSE
            #if REVERSE > 1
            sum += scale;
            #endif
            for (int j = 63; j >= 0; --j)
                sum += s[j] * scale;
#else
            for (int j = 0; j < 64; ++j)
                sum += s[j ^ (blockIdx.x & 1)] * scale + (float)(j & threadIdx.x);
#endif
        };
        {
#if __CUDA_ARCH__ >= 350
            const float v = k + threadIdx.x < n ? __ldg(x + k + threadIdx.x) : 0.f;
#else
            const float v = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
#endif
            s[threadIdx.x] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
#if __CUDA_ARCH__ >= 350
            const float v = k + threadIdx.x < n ? __ldg(x + k + threadIdx.x) : 0.f;
#else
            const float v = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
#endif
            compute_tile();
            __syncthreads();
            s[threadIdx.x] = v;
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

#define ROWS 64

// One block a column of b; -DCOMPENSATED sums without losing low bits.
//
// pipelinify: launch matvec4
//   sizes    m=64,128 k=0,16,32,48,64,112,160 n=1,3
//   target   m=4096 k=4096 n=64
//   grid     n, m / 64
//   block    64
//   a:       in  [m * k]  range(-1, 1)
//   b:       in  [k * n]  range(-1, 1)
//   c:       out [m * n]
//   m:       m
//   k:       k
//   n:       n
__global__ void matvec4(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ c, int m, int k, int n)
{
    __shared__ __align__(16) float at[ROWS][16];
    const int row = threadIdx.x;
    a += (size_t)blockIdx.y * ROWS * k;
    float sum = 0.f, low = 0.f;
    // pipelinify: ldg-single, 1 stage, source e2b40e96
    int k0 = 0, k0_tile = k0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            auto &k0 = k0_tile;
            for (int j = 0; j < 16; ++j) {
                const float x = at[row][j] * b[(k0 + j) * n + blockIdx.x];
#ifdef COMPENSATED
                const float y = x - low, t = sum + y;
                low = (t - sum) - y;
                sum = t;
#elif defined(EXACT)
#error "sums are not exact, if COMPENSATED at best"
#else
                sum += x;
#endif
            }
        };
#pragma unroll
        for (int part = 0; part < 4; ++part) {
            const int i = part * 64 + row;
            *reinterpret_cast<float4 *>(&at[i / 4][i % 4 * 4]) =
                *reinterpret_cast<const float4 *>(&a[(i / 4) * k + k0 + i % 4 * 4]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < k; k0 += 16) {
            float4 at_next[4];
#pragma unroll
            for (int part = 0; part < 4; ++part) {
                const int i = part * 64 + row;
                at_next[part] = *reinterpret_cast<const float4 *>(&a[(i / 4) * k + k0 + i % 4 * 4]);
            }
            compute_tile();
            k0_tile += 16;
            __syncthreads();
#pragma unroll
            for (int part = 0; part < 4; ++part) {
                const int i = part * 64 + row;
                *reinterpret_cast<float4 *>(&at[i / 4][i % 4 * 4]) = at_next[part];
            }
            __syncthreads();
        }
        compute_tile();
    }
    c[(blockIdx.y * ROWS + row) * n + blockIdx.x] = sum + low;
}
