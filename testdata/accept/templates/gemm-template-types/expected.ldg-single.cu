// Generic tiled GEMM, templated on the element type and the tile; accumulates in float or double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <typename T> struct Accum { using type = float; };
template <> struct Accum<double> { using type = double; };

template <typename T> __device__ __forceinline__ float widen(T v) { return static_cast<float>(v); }
__device__ __forceinline__ double widen(double v) { return v; }

// pipelinify: launch gemm_any<float, 16, 8>
//   sizes    M=16 N=16 K=0,1,7,8,9,16,24,32,41
//   sizes    M=17,30 N=21 K=20
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch gemm_any<double, 16, 8>
//   sizes    M=16 N=16 K=0,8,16,24,37
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch gemm_any<__half, 16, 16>
//   sizes    M=16 N=16 K=0,16,32,48,70
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch gemm_any<__nv_bfloat16, 16, 16>
//   sizes    M=16 N=16 K=16,33,64
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    256
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <typename T, int TILE, int DEPTH>
__global__ void __launch_bounds__(TILE * TILE)
gemm_any(const T* __restrict__ A, const T* __restrict__ B,
         typename Accum<T>::type* __restrict__ C, int M, int N, int K)
{
    __shared__ T sA[TILE][DEPTH];
    __shared__ T sB[DEPTH][TILE];

    const int tid = threadIdx.x;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    const int r = tid / TILE, c = tid % TILE;
    typename Accum<T>::type acc = 0;

    // pipelinify: ldg-single, 1 stage, source 7791ba28
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename Accum<T>::type) &&
                  !__is_same(typename Accum<T>::type, volatile typename Accum<T>::type),
                  "typename Accum<T>::type must be plain data and not volatile");
    int k0 = 0;
    if (k0 < K)
    {
        for (int i = tid; i < TILE * DEPTH; i += TILE * TILE)
        {
            const int ar = i / DEPTH, ac = i % DEPTH;
            sA[ar][ac] = (r0 + ar < M && k0 + ac < K) ? A[(r0 + ar) * K + k0 + ac] : T(0.0f);
            const int br = i / TILE, bc = i % TILE;
            sB[br][bc] = (k0 + br < K && c0 + bc < N) ? B[(k0 + br) * N + c0 + bc] : T(0.0f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += DEPTH; k0 < K; k0 += DEPTH)
        {
            T sA_next[(TILE * DEPTH + TILE * TILE - 1) / (TILE * TILE)];
            T sB_next[(TILE * DEPTH + TILE * TILE - 1) / (TILE * TILE)];
            #pragma unroll
            for (int slot = 0; slot < (TILE * DEPTH + TILE * TILE - 1) / (TILE * TILE); ++slot)
            {
                int i = tid + slot * (TILE * TILE);
                if (i < TILE * DEPTH)
                {
                    const int ar = i / DEPTH, ac = i % DEPTH;
                    sA_next[slot] = T(0.0f);
                    if (r0 + ar < M && k0 + ac < K)
                        sA_next[slot] = A[(r0 + ar) * K + k0 + ac];
                    const int br = i / TILE, bc = i % TILE;
                    sB_next[slot] = T(0.0f);
                    if (k0 + br < K && c0 + bc < N)
                        sB_next[slot] = B[(k0 + br) * N + c0 + bc];
                }
            }

            #pragma unroll
            for (int k = 0; k < DEPTH; ++k)
                acc += widen(sA[r][k]) * widen(sB[k][c]);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (TILE * DEPTH + TILE * TILE - 1) / (TILE * TILE); ++slot)
            {
                int i = tid + slot * (TILE * TILE);
                if (i < TILE * DEPTH)
                {
                    const int ar = i / DEPTH, ac = i % DEPTH;
                    sA[ar][ac] = sA_next[slot];
                    const int br = i / TILE, bc = i % TILE;
                    sB[br][bc] = sB_next[slot];
                }
            }
            __syncthreads();
        }
        #pragma unroll
        for (int k = 0; k < DEPTH; ++k)
            acc += widen(sA[r][k]) * widen(sB[k][c]);
    }

    if (r0 + r < M && c0 + c < N)
        C[(r0 + r) * N + c0 + c] = acc;
}

template __global__ void gemm_any<double, 16, 8>(const double*, const double*, double*, int, int, int);
template __global__ void gemm_any<__nv_bfloat16, 16, 16>(const __nv_bfloat16*, const __nv_bfloat16*,
                                                         float*, int, int, int);

void gemm_f32(const float* A, const float* B, float* C, int M, int N, int K)
{
    gemm_any<float, 16, 8><<<dim3((N + 15) / 16, (M + 15) / 16), 256>>>(A, B, C, M, N, K);
}

void gemm_f16(const __half* A, const __half* B, float* C, int M, int N, int K)
{
    gemm_any<__half, 16, 16><<<dim3((N + 15) / 16, (M + 15) / 16), 256>>>(A, B, C, M, N, K);
}
