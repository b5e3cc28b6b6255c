// Tiles of which a warp reads, or fills, one column at a time: products of rows with rows,
// a thread a key, tensor cores, images that are turned, and planes of two channels.
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][32][32], ys_stage[stages][32][32 + 4];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *xr = x + (size_t)(blockIdx.y * 32 + ty) * k + tx;
    const float *yr = y + (size_t)(blockIdx.x * 32 + ty) * k + tx;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source de3c2da3
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < k) {
            __pipeline_memcpy_async(&xs_stage[load_stage][ty][tx], &xr[t_load], sizeof(float));
            __pipeline_memcpy_async(&ys_stage[load_stage][ty][tx], &yr[t_load], sizeof(float));
            t_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < k; t += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            sum += xs_stage[stage][ty][i] * ys_stage[stage][tx][i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ __align__(16) float ks_stage[stages][KEYS][DIM + 4];
    float mine[DIM];
    for (int d = 0; d < DIM; ++d)
        mine[d] = q[blockIdx.x * DIM + d];
    float top = -1e30f;
    // pipelinify: cp.async, 3 stages, source 76f5ae90
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < n) {
            for (int i = threadIdx.x; i < KEYS * DIM / 4; i += KEYS) {
                int r = i / (DIM / 4), c = i % (DIM / 4) * 4;
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&ks_stage[load_stage][r][c]),
                    reinterpret_cast<const float4 *>(&keys[(k0_load + r) * DIM + c]),
                    sizeof(float4));
            }
            k0_load += KEYS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < n; k0 += KEYS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        float dot = 0.f;
        for (int d = 0; d < DIM; ++d)
            dot += mine[d] * ks_stage[stage][threadIdx.x][d];
        top = fmaxf(top, dot);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ __align__(32) half as_stage[stages][M_TILE][K_TILE + 8];
    __shared__ __align__(32) half bs_stage[stages][N_TILE][K_TILE + 8];
    const int tid = threadIdx.x, warp = tid / 32;
    const int row = warp / 2 * 16, col = warp % 2 * 16;
    const int m0 = blockIdx.y * M_TILE, n0 = blockIdx.x * N_TILE;
    wm::fragment<wm::accumulator, 16, 16, 16, float> sum;
    wm::fill_fragment(sum, 0.f);
    // pipelinify: cp.async, 3 stages, source 726d18d8
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            const int r = tid / 4, c = tid % 4 * 8;
            __pipeline_memcpy_async((int4 *)&as_stage[load_stage][r][c],
                                    (const int4 *)&A[(m0 + r) * K + k0_load + c], sizeof(int4));
            __pipeline_memcpy_async((int4 *)&bs_stage[load_stage][r][c],
                                    (const int4 *)&B[(n0 + r) * K + k0_load + c], sizeof(int4));
            k0_load += K_TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += K_TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int kk = 0; kk < K_TILE; kk += 16) {
            wm::fragment<wm::matrix_a, 16, 16, 16, half, wm::row_major> a;
            wm::fragment<wm::matrix_b, 16, 16, 16, half, wm::col_major> b;
            wm::load_matrix_sync(a, &as_stage[stage][row][kk], K_TILE + 8);
            wm::load_matrix_sync(b, &bs_stage[stage][col][kk],
                                 (sizeof(half) == 2 ? 32 : K_TILE) + 8);
            wm::mma_sync(sum, a, b, sum);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float image_stage[stages][SIDE][SIDE + 4];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 5916670c
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&image_stage[load_stage][t % SIDE][t / SIDE],
                                    &in[(blockIdx.x * n + i_load) * SIDE * SIDE + t],
                                    sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < SIDE; ++k)
            sum += image_stage[stage][t / SIDE][k] * (k + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ double2 plane_stage[stages][2][32][8 + 1];
    double sum = 0;
    // pipelinify: cp.async, 3 stages, source 4a7a7c8a
    const double2 *p = pairs + (size_t)blockIdx.x * n * 512, *e = p + n * 512;
    auto p_load = p;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load != e) {
            for (int c = 0; c < 2; ++c) {
                for (int i = threadIdx.x; i < 256; i += 32)
                    __pipeline_memcpy_async(&plane_stage[load_stage][c][i / 8][i & 7],
                                            &p_load[c * 256 + i], sizeof(double2));
            }
            p_load += 512;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; p != e; p += 512) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 8; ++k)
            sum += plane_stage[stage][0][threadIdx.x][k].x *
                   plane_stage[stage][1][threadIdx.x][k].y;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
