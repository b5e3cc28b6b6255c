// GEMM with a column scale, whose copy loops call small functions for each vector or element, and
// a batch of dot products whose load function is made of such functions.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int BM = 64, BN = 64, BK = 16;

__device__ __forceinline__ void copy4(float *dst, const float *src)
{
    *reinterpret_cast<float4 *>(dst) = *reinterpret_cast<const float4 *>(src);
}

/// One element, or the fill where there is none.
__device__ __forceinline__ void copy1(float *dst, const float *src, bool there, float fill = 0.0f)
{
    *dst = there ? *src : fill;
}

__device__ __forceinline__ void copy1_async(float *dst, const float *src, bool there,
                                            cuda::pipeline<cuda::thread_scope_block> &pipe, float fill = 0.0f)
{
    if (there) {
        cuda::memcpy_async(dst, src, cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
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
    __shared__ float a_tile[BK][BM + 4];
    __shared__ __align__(16) float b_tile[BK][BN];
    __shared__ float weights[BK];
    const int tid = threadIdx.x;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int row = tid / 16 * 4, col = tid % 16 * 4;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid; i < BM * BK / 4; i += 256) {
            const int r = i / (BK / 4), k = i % (BK / 4) * 4;
            scatter4(a_tile, &A[(m0 + r) * K + k0 + k], r, k);
        }
        #pragma unroll
        for (int i = tid; i < BK * BN / 4; i += 256) {
            const int k = i / (BN / 4), c = i % (BN / 4) * 4;
            copy4(&b_tile[k][c], &B[(k0 + k) * N + n0 + c]);
        }
        if (tid < BK)
            copy1(&weights[tid], scale + k0 + tid, k0 + tid < K);
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += a_tile[k][row + i] * b_tile[k][col + j] * weights[k];
        __syncthreads();
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

__device__ void load_pair_async(float (&x)[128], float (&y)[128], const float *xs, const float *ys, int left,
                                cuda::pipeline<cuda::thread_scope_block> &pipe)
{
    #pragma unroll
    for (int i = 0; i < 128; i += 64) {
        copy1_async(&x[i + threadIdx.x], &xs[i + threadIdx.x], i + (int)threadIdx.x < left, pipe);
        copy1_async(&y[i + threadIdx.x], &ys[i + threadIdx.x], i + (int)threadIdx.x < left, pipe, 1.0f);
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
    // pipelinify: pipeline-unified, 2 stages, source dd620f04
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int base_load = 0, stage = 0;
    int load_stage = 0, begun = 0;
    for (int base = 0; base < n; base += 128) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (base_load < n) {
                load_pair_async(x_stage[load_stage], y_stage[load_stage], xs + vector + base_load,
                                ys + vector + base_load, n - base_load, pipe);
                base_load += 128;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        pipe.consumer_wait();
        for (int i = 0; i < 128; ++i)
            sum += x_stage[stage][i] * y_stage[stage][(i + threadIdx.x) % 128];
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun) {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
