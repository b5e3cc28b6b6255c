// Vectors fill the rows of a ragged last tile that are there, and compute looks at those alone: attention, and columns.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

// pipelinify: launch attention<32, 16, 64>
//   sizes    n=1,15,16,17,33,64
//   target   n=4096
//   grid     (n + 63) / 64, 2
//   block    64
//   Q:       in  [2 * n * 32] random
//   K:       in  [2 * n * 32] random
//   V:       in  [2 * n * 32] random
//   O:       out [2 * n * 32]
//   n:       n
//   scale:   0.25
template <int DIM, int ROWS, int THREADS>
__global__ void __launch_bounds__(THREADS)
attention(const half *__restrict__ Q, const half *__restrict__ K, const half *__restrict__ V,
          half *__restrict__ O, int n, float scale)
{
    __shared__ __align__(16) half sK[ROWS][DIM + 8];
    __shared__ __align__(16) half sV[ROWS * DIM];
    const int q = blockIdx.x * THREADS + threadIdx.x;
    const size_t base = (size_t)blockIdx.y * n * DIM;
    float query[DIM], acc[DIM], m = -1e30f, l = 0.0f;
    for (int d = 0; d < DIM; ++d) {
        query[d] = q < n ? __half2float(Q[base + (size_t)q * DIM + d]) * scale : 0.0f;
        acc[d] = 0.0f;
    }
    // pipelinify: ldg-single, 1 stage, source 9826add7
    static_assert((long long)DIM == 32,
                  "pipelined for this DIM alone: run pipelinify again for another");
    static_assert((long long)ROWS == 16,
                  "pipelined for this ROWS alone: run pipelinify again for another");
    static_assert((long long)THREADS == 64,
                  "pipelined for this THREADS alone: run pipelinify again for another");
    int n0 = 0, n0_tile = n0;
    if (n0 < n) {
        auto compute_tile = [&]() {
            const int valid = min(ROWS, n - n0_tile);
            for (int j = 0; j < valid; ++j) {
                float s = 0.0f;
                for (int d = 0; d < DIM; ++d)
                    s += query[d] * __half2float(sK[j][d]);
                const float larger = fmaxf(m, s), p = __expf(s - larger), fade = __expf(m - larger);
                l = l * fade + p;
                for (int d = 0; d < DIM; d += 2) {
                    const half2 v = *reinterpret_cast<const half2 *>(&sV[j * DIM + d]);
                    acc[d] = acc[d] * fade + p * __low2float(v);
                    acc[d + 1] = acc[d + 1] * fade + p * __high2float(v);
                }
                m = larger;
            }
        };
        for (int i = threadIdx.x; i < ROWS * DIM / 8; i += THREADS) {
            const int r = i / (DIM / 8), c = (i % (DIM / 8)) * 8;
            if (n0 + r < n) {
                *reinterpret_cast<uint4 *>(&sK[r][c]) =
                    *reinterpret_cast<const uint4 *>(&K[base + (size_t)(n0 + r) * DIM + c]);
                reinterpret_cast<uint4 *>(&sV[r * DIM + c])[0] =
                    *reinterpret_cast<const uint4 *>(&V[base + (size_t)(n0 + r) * DIM + c]);
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += ROWS; n0 < n; n0 += ROWS) {
            uint4 sK_next[(ROWS * DIM / 8 + THREADS - 1) / THREADS];
            uint4 sV_next[(ROWS * DIM / 8 + THREADS - 1) / THREADS];
            #pragma unroll
            for (int slot = 0; slot < (ROWS * DIM / 8 + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < ROWS * DIM / 8) {
                    const int r = i / (DIM / 8), c = (i % (DIM / 8)) * 8;
                    if (n0 + r < n) {
                        sK_next[slot] = *reinterpret_cast<const uint4 *>(&K[base + (size_t)(n0 + r) * DIM + c]);
                        sV_next[slot] = *reinterpret_cast<const uint4 *>(&V[base + (size_t)(n0 + r) * DIM + c]);
                    }
                }
            }
            compute_tile();
            n0_tile += ROWS;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (ROWS * DIM / 8 + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < ROWS * DIM / 8) {
                    const int r = i / (DIM / 8), c = (i % (DIM / 8)) * 8;
                    if (n0 + r < n) {
                        *reinterpret_cast<uint4 *>(&sK[r][c]) = sK_next[slot];
                        reinterpret_cast<uint4 *>(&sV[r * DIM + c])[0] = sV_next[slot];
                    }
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int d = 0; q < n && d < DIM; ++d)
        O[base + (size_t)q * DIM + d] = __float2half(acc[d] / l);
}

#define COLS 64

// pipelinify: launch row_sums
//   sizes    n=4,60,64,68,132
//   target   n=65536
//   grid     3
//   block    64
//   a:       in  [3 * 4 * n] random
//   out:     out [3 * 4 * 16]
//   n:       n
__global__ void __launch_bounds__(64) row_sums(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[4][COLS];
    const int r = threadIdx.x / 16, c = threadIdx.x % 16 * 4, row = blockIdx.x * 4 + r;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source be4cd2fa
    int c0 = 0, c0_tile = c0;
    if (c0 < n) {
        if (c0 + c < n)
            *(float4 *)&tile[r][c] = *(const float4 *)&a[row * n + c0 + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (c0 += COLS; c0 < n; c0 += COLS) {
            float4 tile_next;
            if (c0 + c < n)
                tile_next = *(const float4 *)&a[row * n + c0 + c];
            for (int i = 0; i < COLS && c0_tile + i < n; ++i)
                sum += tile[r][i] * (i ^ threadIdx.x);
            c0_tile += COLS;
            __syncthreads();
            if (c0 + c < n)
                *(float4 *)&tile[r][c] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < COLS && c0_tile + i < n; ++i)
            sum += tile[r][i] * (i ^ threadIdx.x);
    }
    out[row * 16 + threadIdx.x % 16] = sum;
}
