#include <cuda_bf16.h>

// y = x W^T + s (x A^T) B^T: one pass over K makes both products. Pairs are
// loaded by a lambda that is handed the matrix.
//
// pipelinify: launch lora_fwd<8>
//   sizes K=0,32,64,160 N=32
//   target K=4096 N=4096
//   grid  N / 16, 1
//   block 16, 16
//   x:  in  [16 * K + 2]
//   W:  in  [N * K + 2]
//   A:  in  [8 * K + 2]
//   B:  in  [N * 8]
//   y:  out [16 * N]
//   K:  K
//   N:  N
//   s:  0.5
template <int RANK>
__global__ void lora_fwd(const __nv_bfloat16 *__restrict__ x, const __nv_bfloat16 *__restrict__ W,
                         const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B,
                         __nv_bfloat16 *__restrict__ y, int K, int N, float s)
{
    constexpr int T = 16, KT = 32;
    __shared__ __nv_bfloat162 xs[T][KT / 2];
    __shared__ __nv_bfloat162 ws[T][KT / 2 + 1];
    __shared__ __nv_bfloat162 as[RANK][KT / 2];
    __shared__ float low_rank[T][RANK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int m0 = blockIdx.y * T, n0 = blockIdx.x * T;
    float acc = 0.f, low = 0.f;

    auto pair = [K](const __nv_bfloat16 *p, int row, int col) {
        return *reinterpret_cast<const __nv_bfloat162 *>(p + (size_t)row * K + col);
    };

    // pipelinify: ldg-single, 1 stage, source c68a1ff8
    int k = 0;
    if (k < K) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int i = 0; i < KT / 2; ++i) {
                const float2 xv = __bfloat1622float2(xs[ty][i]);
                const float2 wv = __bfloat1622float2(ws[tx][i]);
                acc = fmaf(xv.x, wv.x, fmaf(xv.y, wv.y, acc));
                if (tx < RANK) {
                    const float2 av = __bfloat1622float2(as[tx][i]);
                    low += xv.x * av.x + xv.y * av.y;
                }
            }
        };
        xs[ty][tx] = pair(x, m0 + ty, k + 2 * tx);
        ws[ty][tx] = pair(W, n0 + ty, k + 2 * tx);
        if (ty < RANK)
            as[ty][tx] = pair(A, ty, k + 2 * tx);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += KT; k < K; k += KT) {
            __nv_bfloat162 as_next;
            __nv_bfloat162 xs_next = pair(x, m0 + ty, k + 2 * tx);
            __nv_bfloat162 ws_next = pair(W, n0 + ty, k + 2 * tx);
            if (ty < RANK)
                as_next = pair(A, ty, k + 2 * tx);
            compute_tile();
            __syncthreads();
            xs[ty][tx] = xs_next;
            ws[ty][tx] = ws_next;
            if (ty < RANK)
                as[ty][tx] = as_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    if (tx < RANK)
        low_rank[ty][tx] = low;
    __syncthreads();
    for (int r = 0; r < RANK; ++r)
        acc += s * low_rank[ty][r] * __bfloat162float(B[(n0 + tx) * RANK + r]);
    y[(size_t)(m0 + ty) * N + n0 + tx] = __float2bfloat16(acc);
}
template __global__ void lora_fwd<8>(const __nv_bfloat16 *, const __nv_bfloat16 *, const __nv_bfloat16 *,
                                     const __nv_bfloat16 *, __nv_bfloat16 *, int, int, float);
