// Tiles of which a warp reads, or fills, one column at a time: products of rows with rows,
// a thread a key, tensor cores, images that are turned, and planes of two channels.
#include <cuda_fp16.h>
#include <mma.h>

namespace wm = nvcuda::wmma;

// pipelinify: launch rows_by_rows
//   sizes    m=32 n=64 k=0,32,64,96
//   sizes    m=32 n=32 k=160
//   target   m=2048 n=2048 k=2048
//   grid     n / 32, m / 32
//   block    32, 32
//   x: in  [m * k]
//   y: in  [n * k]
//   z: out [m * n]
//   n: n
//   k: k
__global__ void __launch_bounds__(1024)
rows_by_rows(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z,
             int n, int k)
{
    __shared__ float xs_stage[2][32][32], ys_stage[2][32][32 + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *xr = x + (size_t)(blockIdx.y * 32 + ty) * k + tx;
    const float *yr = y + (size_t)(blockIdx.x * 32 + ty) * k + tx;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source de3c2da3
    int t = 0, stage = 0;
    if (t < k) {
        xs_stage[0][ty][tx] = xr[t];
        ys_stage[0][ty][tx] = yr[t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += 32; t < k; t += 32) {
            float xs_next = xr[t];
            float ys_next = yr[t];
            for (int i = 0; i < 32; ++i)
                sum += xs_stage[stage][ty][i] * ys_stage[stage][tx][i];
            stage ^= 1;
            xs_stage[stage][ty][tx] = xs_next;
            ys_stage[stage][ty][tx] = ys_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += xs_stage[stage][ty][i] * ys_stage[stage][tx][i];
    }
    z[(size_t)(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}

#define KEYS 64
#define DIM (4 * 8)

// pipelinify: launch best_key
//   sizes    Q=2 N=0,64,128,192,256
//   target   Q=1024 N=8192
//   grid     Q
//   block    KEYS
//   let      KEYS = 64
//   q:    in  [Q * 32]
//   keys: in  [N * 32]
//   best: out [Q * 64]
//   n:    N
__global__ void __launch_bounds__(KEYS)
best_key(const float *__restrict__ q, const float *__restrict__ keys, float *__restrict__ best,
         int n)
{
    __shared__ __align__(16) float ks_stage[2][KEYS][DIM + 4];
    float mine[DIM];
    for (int d = 0; d < DIM; ++d)
        mine[d] = q[blockIdx.x * DIM + d];
    float top = -1e30f;
    // pipelinify: ldg, 2 stages, source 76f5ae90
    int k0 = 0, stage = 0;
    if (k0 < n) {
        auto compute_tile = [&]() {
            float dot = 0.f;
            for (int d = 0; d < DIM; ++d)
                dot += mine[d] * ks_stage[stage][threadIdx.x][d];
            top = fmaxf(top, dot);
        };
        for (int i = threadIdx.x; i < KEYS * DIM / 4; i += KEYS) {
            int r = i / (DIM / 4), c = i % (DIM / 4) * 4;
            *reinterpret_cast<float4 *>(&ks_stage[0][r][c]) =
                *reinterpret_cast<const float4 *>(&keys[(k0 + r) * DIM + c]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += KEYS; k0 < n; k0 += KEYS) {
            float4 ks_next[(KEYS * DIM / 4) / KEYS];
            #pragma unroll
            for (int slot = 0; slot < (KEYS * DIM / 4) / KEYS; ++slot) {
                int i = threadIdx.x + slot * KEYS;
                int r = i / (DIM / 4), c = i % (DIM / 4) * 4;
                ks_next[slot] = *reinterpret_cast<const float4 *>(&keys[(k0 + r) * DIM + c]);
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (KEYS * DIM / 4) / KEYS; ++slot) {
                int i = threadIdx.x + slot * KEYS;
                int r = i / (DIM / 4), c = i % (DIM / 4) * 4;
                *reinterpret_cast<float4 *>(&ks_stage[stage][r][c]) = ks_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    best[blockIdx.x * KEYS + threadIdx.x] = top;
}

constexpr int M_TILE = 32, N_TILE = 32, K_TILE = 32;

// pipelinify: launch hgemm_nt
//   sizes    M=32 N=32 K=0,32,64,96
//   sizes    M=64 N=32 K=160
//   target   M=2048 N=2048 K=2048
//   grid     N / 32, M / 32
//   block    128
//   A: in  [M * K]
//   B: in  [N * K]
//   C: out [M * N]
//   N: N
//   K: K
__global__ void __launch_bounds__(128)
hgemm_nt(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int N,
         int K)
{
    __shared__ __align__(32) half as_stage[2][M_TILE][K_TILE + 8];
    __shared__ __align__(32) half bs_stage[2][N_TILE][K_TILE + 8];
    const int tid = threadIdx.x, warp = tid / 32;
    const int row = warp / 2 * 16, col = warp % 2 * 16;
    const int m0 = blockIdx.y * M_TILE, n0 = blockIdx.x * N_TILE;
    wm::fragment<wm::accumulator, 16, 16, 16, float> sum;
    wm::fill_fragment(sum, 0.f);
    // pipelinify: ldg, 2 stages, source 726d18d8
    int k0 = 0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            for (int kk = 0; kk < K_TILE; kk += 16) {
                wm::fragment<wm::matrix_a, 16, 16, 16, half, wm::row_major> a;
                wm::fragment<wm::matrix_b, 16, 16, 16, half, wm::col_major> b;
                wm::load_matrix_sync(a, &as_stage[stage][row][kk], K_TILE + 8);
                wm::load_matrix_sync(b, &bs_stage[stage][col][kk],
                                     (sizeof(half) == 2 ? 32 : K_TILE) + 8);
                wm::mma_sync(sum, a, b, sum);
            }
        };
        {
            const int r = tid / 4, c = tid % 4 * 8;
            *(int4 *)&as_stage[0][r][c] = *(const int4 *)&A[(m0 + r) * K + k0 + c];
            *(int4 *)&bs_stage[0][r][c] = *(const int4 *)&B[(n0 + r) * K + k0 + c];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += K_TILE; k0 < K; k0 += K_TILE) {
            const int r = tid / 4, c = tid % 4 * 8;
            int4 as_next = *(const int4 *)&A[(m0 + r) * K + k0 + c];
            int4 bs_next = *(const int4 *)&B[(n0 + r) * K + k0 + c];
            compute_tile();
            stage ^= 1;
            *(int4 *)&as_stage[stage][r][c] = as_next;
            *(int4 *)&bs_stage[stage][r][c] = bs_next;
            __syncthreads();
        }
        compute_tile();
    }
    wm::store_matrix_sync(C + (m0 + row) * N + n0 + col, sum, N, wm::mem_row_major);
}

// pipelinify: launch turned<8>
//   sizes    B=1 T=0,1,2,3,5
//   grid     B
//   block    64
//   in:  in  [B * T * 64]
//   out: out [B * 64]
//   n:   T
// pipelinify: launch turned<16>
//   sizes    B=1 T=0,1,2,3,5
//   target   B=1024 T=64
//   grid     B
//   block    256
//   in:  in  [B * T * 256]
//   out: out [B * 256]
//   n:   T
template <int SIDE>
static __global__ void __launch_bounds__(SIDE * SIDE)
turned(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float image_stage[2][SIDE][SIDE + 4];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 5916670c
    int i = 0, stage = 0;
    if (i < n) {
        image_stage[0][t % SIDE][t / SIDE] = in[(blockIdx.x * n + i) * SIDE * SIDE + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            float image_next = in[(blockIdx.x * n + i) * SIDE * SIDE + t];
            for (int k = 0; k < SIDE; ++k)
                sum += image_stage[stage][t / SIDE][k] * (k + 1);
            stage ^= 1;
            image_stage[stage][t % SIDE][t / SIDE] = image_next;
            __syncthreads();
        }
        for (int k = 0; k < SIDE; ++k)
            sum += image_stage[stage][t / SIDE][k] * (k + 1);
    }
    out[blockIdx.x * SIDE * SIDE + t] = sum;
}

void turn(const float *in, float *out, int b, int n, bool small)
{
    if (small)
        turned<8><<<b, 64>>>(in, out, n);
    else
        turned<16><<<b, 256>>>(in, out, n);
}

// pipelinify: launch two_channels
//   sizes    B=1 T=0,1,2,3,4
//   target   B=1024 T=64
//   grid     B
//   block    32
//   pairs: in  [B * T * 512]
//   out:   out [B * 32]
//   n:     T
__global__ void __launch_bounds__(32)
two_channels(const double2 *__restrict__ pairs, double *__restrict__ out, int n)
{
    __shared__ double2 plane_stage[2][2][32][8 + 1];
    double sum = 0;
    // pipelinify: ldg, 2 stages, source 4a7a7c8a
    const double2 *p = pairs + (size_t)blockIdx.x * n * 512, *e = p + n * 512;
    if (p != e) {
        int stage = 0;
        for (int c = 0; c < 2; ++c)
            for (int i = threadIdx.x; i < 256; i += 32)
                plane_stage[0][c][i / 8][i & 7] = p[c * 256 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += 512; p != e; p += 512) {
            double2 plane_next[2][8];
            #pragma unroll
            for (int c = 0; c < 2; ++c) {
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int i = threadIdx.x + slot * 32;
                    plane_next[c][slot] = p[c * 256 + i];
                }
            }
            for (int k = 0; k < 8; ++k)
                sum += plane_stage[stage][0][threadIdx.x][k].x *
                       plane_stage[stage][1][threadIdx.x][k].y;
            stage ^= 1;
            #pragma unroll
            for (int c = 0; c < 2; ++c) {
                #pragma unroll
                for (int slot = 0; slot < 8; ++slot) {
                    int i = threadIdx.x + slot * 32;
                    plane_stage[stage][c][i / 8][i & 7] = plane_next[c][slot];
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < 8; ++k)
            sum += plane_stage[stage][0][threadIdx.x][k].x *
                   plane_stage[stage][1][threadIdx.x][k].y;
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
