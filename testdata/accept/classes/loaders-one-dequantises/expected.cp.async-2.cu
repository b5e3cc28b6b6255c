// Two loaders: one copies rows of activations, the other turns int8 weights into floats. A third tile, the
// weights' scales, is filled in place.
#include <cstdint>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

static constexpr int kTile = 32;
static constexpr int kDepth = 32;

/// Four floats a thread; rows behind the last one are zero.
__device__ __forceinline__ void load_rows(float (&tile)[kTile][kDepth], const float *__restrict__ from, int first,
                                          int rows, int pitch, int k0)
{
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    float4 *to = reinterpret_cast<float4 *>(&tile[r][c]);
    if (first + r < rows)
        *to = *reinterpret_cast<const float4 *>(from + (first + r) * pitch + k0 + c);
    else
        *to = make_float4(0.f, 0.f, 0.f, 0.f);
}

__device__ __forceinline__ void load_rows_async(float (&tile)[kTile][kDepth], const float *__restrict__ from, int first,
                                          int rows, int pitch, int k0)
{
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    float4 *to = reinterpret_cast<float4 *>(&tile[r][c]);
    if (first + r < rows)
        __pipeline_memcpy_async(to, reinterpret_cast<const float4 *>(from + (first + r) * pitch + k0 + c),
                                sizeof(float4));
    else
        *to = make_float4(0.f, 0.f, 0.f, 0.f);
}

/// Four weights a thread, transposed.
__device__ __forceinline__ void load_weights(float (&tile)[kDepth][kTile + 1], const char4 *__restrict__ from,
                                             int first, int rows, int pitch, int k0)
{
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    const char4 q = first + r < rows ? from[((first + r) * pitch + k0 + c) / 4] : make_char4(0, 0, 0, 0);
    tile[c][r] = q.x;
    tile[c + 1][r] = q.y;
    tile[c + 2][r] = q.z;
    tile[c + 3][r] = q.w;
}

__device__ __forceinline__ auto load_weights_fetch(const char4 *__restrict__ from, int first, int rows, int pitch,
                                                   int k0)
{
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    const char4 q = first + r < rows ? from[((first + r) * pitch + k0 + c) / 4] : make_char4(0, 0, 0, 0);
    char4 q_next = q;
    return q_next;
}

__device__ __forceinline__ void load_weights_store(float (&tile)[kDepth][kTile + 1], char4 q_next)
{
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    char4 q = q_next;
    tile[c][r] = q.x;
    tile[c + 1][r] = q.y;
    tile[c + 2][r] = q.z;
    tile[c + 3][r] = q.w;
}

// pipelinify: launch w8_gemm
//   sizes  m=32 n=32 k=0,32,64,96,128
//   sizes  m=3,50 n=40 k=96
//   target m=512 n=4096 k=4096
//   grid   (n + 31) / 32, (m + 31) / 32
//   block  256
//   x:     in  [m * k] random
//   w:     in  [n * k / 4] random
//   s:     in  [n * k / 32] range(0.1, 0.2)
//   y:     out [m * n]
//   m:     m
//   n:     n
//   k:     k
//   work   flops 2 * m * n * k
__global__ void __launch_bounds__(256)
w8_gemm(const float *__restrict__ x, const char4 *__restrict__ w, const float *__restrict__ s, float *__restrict__ y,
        int m, int n, int k)
{
    __shared__ __align__(16) float xs_stage[2][kTile][kDepth];
    __shared__ float ws_stage[2][kDepth][kTile + 1];
    __shared__ float scale_stage[2][kTile];
    const int m0 = blockIdx.y * kTile, n0 = blockIdx.x * kTile;
    const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};

    // pipelinify: cp.async, 2 stages, source 62822129
    int k0 = 0, stage = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            float part[4] = {0.f, 0.f, 0.f, 0.f};
            for (int i = 0; i < kDepth; ++i)
                for (int j = 0; j < 4; ++j)
                    part[j] += xs_stage[stage][ty + 8 * j][i] * ws_stage[stage][i][tx];
            for (int j = 0; j < 4; ++j)
                acc[j] += part[j] * scale_stage[stage][tx];
        };
        load_weights(ws_stage[0], w, n0, n, k, k0);
        load_rows_async(xs_stage[0], x, m0, m, k, k0);
        if (threadIdx.x < kTile)
            __pipeline_memcpy_async(&scale_stage[0][threadIdx.x], &s[(n0 + threadIdx.x) * (k / kDepth) + k0 / kDepth],
                                    sizeof(float), (n0 + threadIdx.x < n) ? 0 : sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (k0 += kDepth; k0 < k; k0 += kDepth) {
            auto ws_next = load_weights_fetch(w, n0, n, k, k0);
            load_rows_async(xs_stage[stage ^ 1], x, m0, m, k, k0);
            if (threadIdx.x < kTile)
                __pipeline_memcpy_async(&scale_stage[stage ^ 1][threadIdx.x],
                                        &s[(n0 + threadIdx.x) * (k / kDepth) + k0 / kDepth], sizeof(float),
                                        (n0 + threadIdx.x < n) ? 0 : sizeof(float));
            __pipeline_commit();
            compute_tile();
            stage ^= 1;
            load_weights_store(ws_stage[stage], ws_next);
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        compute_tile();
    }

    for (int j = 0; j < 4; ++j)
        if (m0 + ty + 8 * j < m && n0 + tx < n)
            y[(m0 + ty + 8 * j) * n + n0 + tx] = acc[j];
}
