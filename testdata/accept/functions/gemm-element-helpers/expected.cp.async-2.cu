// GEMM with a column scale, whose copy loops call small functions for each vector or element, and
// a batch of dot products whose load function is made of such functions.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int BM = 64, BN = 64, BK = 16;

__device__ __forceinline__ void copy4(float *dst, const float *src)
{
    *reinterpret_cast<float4 *>(dst) = *reinterpret_cast<const float4 *>(src);
}

__device__ __forceinline__ void copy4_async(float *dst, const float *src)
{
    __pipeline_memcpy_async(reinterpret_cast<float4 *>(dst), reinterpret_cast<const float4 *>(src), sizeof(float4));
}

/// One element, or the fill where there is none.
__device__ __forceinline__ void copy1(float *dst, const float *src, bool there, float fill = 0.0f)
{
    *dst = there ? *src : fill;
}

__device__ __forceinline__ void copy1_async(float *dst, const float *src, bool there, float fill = 0.0f)
{
    if (there) {
        __pipeline_memcpy_async(dst, src, sizeof(float));
    } else {
        *dst = fill;
    }
}

__device__ __forceinline__ void scatter4(float (*dst)[BM + 4], const float *src, int row, int k)
{
    const float4 v = *reinterpret_cast<const float4 *>(src);
    dst[k][row] = v.x;
    dst[k + 1][row] = v.y;
    dst[k + 2][row] = v.z;
    dst[k + 3][row] = v.w;
}

struct scatter4_registers {
    float4 v_next;
};

__device__ __forceinline__ scatter4_registers scatter4_fetch(const float *src)
{
    scatter4_registers next;
    const float4 v = *reinterpret_cast<const float4 *>(src);
    next.v_next = v;
    return next;
}

__device__ __forceinline__ void scatter4_store(float (*dst)[BM + 4], int row, int k, const scatter4_registers &next)
{
    float4 v = next.v_next;
    dst[k][row] = v.x;
    dst[k + 1][row] = v.y;
    dst[k + 2][row] = v.z;
    dst[k + 3][row] = v.w;
}

// pipelinify: launch scaled_gemm
//   sizes    M=64 N=64 K=0,16,32,48,64,80
//   sizes    M=128 N=192 K=48
//   target   M=2048 N=2048 K=1024
//   grid     N / 64, M / 64
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   scale:   in  [K]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
//   requires K % 16 == 0
__global__ void __launch_bounds__(256)
scaled_gemm(const float *A, const float *B, const float *scale, float *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(16) float a_tile_stage[2][BK][BM + 4];
    __shared__ __align__(16) float b_tile_stage[2][BK][BN];
    __shared__ float weights_stage[2][BK];
    const int tid = threadIdx.x;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int row = tid / 16 * 4, col = tid % 16 * 4;
    float acc[4][4] = {};

    // pipelinify: cp.async, 2 stages, source e5eed36c
    int k0 = 0, stage = 0;
    if (k0 < K) {
        for (int i = tid; i < BM * BK / 4; i += 256) {
            const int r = i / (BK / 4), k = i % (BK / 4) * 4;
            scatter4(a_tile_stage[0], &A[(m0 + r) * K + k0 + k], r, k);
        }
        #pragma unroll
        for (int i = tid; i < BK * BN / 4; i += 256) {
            const int k = i / (BN / 4), c = i % (BN / 4) * 4;
            copy4_async(&b_tile_stage[0][k][c], &B[(k0 + k) * N + n0 + c]);
        }
        if (tid < BK)
            copy1_async(&weights_stage[0][tid], scale + k0 + tid, k0 + tid < K);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            scatter4_registers a_tile_next[(BM * BK / 4) / 256];
            #pragma unroll
            for (int slot = 0; slot < (BM * BK / 4) / 256; ++slot) {
                int i = tid + slot * 256;
                const int r = i / (BK / 4), k = i % (BK / 4) * 4;
                a_tile_next[slot] = scatter4_fetch(&A[(m0 + r) * K + k0 + k]);
            }
            #pragma unroll
            for (int i = tid; i < BK * BN / 4; i += 256) {
                const int k = i / (BN / 4), c = i % (BN / 4) * 4;
                copy4_async(&b_tile_stage[stage ^ 1][k][c], &B[(k0 + k) * N + n0 + c]);
            }
            if (tid < BK)
                copy1_async(&weights_stage[stage ^ 1][tid], scale + k0 + tid, k0 + tid < K);
            __pipeline_commit();
            for (int k = 0; k < BK; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j)
                        acc[i][j] += a_tile_stage[stage][k][row + i] * b_tile_stage[stage][k][col + j] *
                                     weights_stage[stage][k];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (BM * BK / 4) / 256; ++slot) {
                int i = tid + slot * 256;
                const int r = i / (BK / 4), k = i % (BK / 4) * 4;
                scatter4_store(a_tile_stage[stage], r, k, a_tile_next[slot]);
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += a_tile_stage[stage][k][row + i] * b_tile_stage[stage][k][col + j] *
                                 weights_stage[stage][k];
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(m0 + row + i) * N + n0 + col + j] = acc[i][j];
}

/// Fills a piece of both vectors; beyond their ends one of them is zero.
__device__ void load_pair(float (&x)[128], float (&y)[128], const float *xs, const float *ys, int left)
{
    #pragma unroll
    for (int i = 0; i < 128; i += 64) {
        copy1(&x[i + threadIdx.x], &xs[i + threadIdx.x], i + (int)threadIdx.x < left);
        copy1(&y[i + threadIdx.x], &ys[i + threadIdx.x], i + (int)threadIdx.x < left, 1.0f);
    }
}

__device__ void load_pair_async(float (&x)[128], float (&y)[128], const float *xs, const float *ys, int left)
{
    #pragma unroll
    for (int i = 0; i < 128; i += 64) {
        copy1_async(&x[i + threadIdx.x], &xs[i + threadIdx.x], i + (int)threadIdx.x < left);
        copy1_async(&y[i + threadIdx.x], &ys[i + threadIdx.x], i + (int)threadIdx.x < left, 1.0f);
    }
}

// pipelinify: launch dots
//   sizes    n=0,1,64,127,128,129,256,300,384,512,900
//   target   n=262144
//   grid     3
//   block    64
//   xs:      in  [3 * n]
//   ys:      in  [3 * n]
//   out:     out [3 * 64]
//   n:       n
__global__ void dots(const float *__restrict__ xs, const float *__restrict__ ys, float *__restrict__ out, int n)
{
    __shared__ float x_stage[2][128], y_stage[2][128];
    const int vector = blockIdx.x * n;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source dd620f04
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            load_pair_async(x_stage[load_stage], y_stage[load_stage], xs + vector + base_load, ys + vector + base_load,
                            n - base_load);
            base_load += 128;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 128; ++i)
            sum += x_stage[stage][i] * y_stage[stage][(i + threadIdx.x) % 128];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
