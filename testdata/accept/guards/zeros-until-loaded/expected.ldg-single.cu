// A local begins with what stands for cells beyond the matrix, and is loaded where there are cells.
#include <cuda_runtime.h>

#define TILE 16

// pipelinify: launch gemm_ragged
//   sizes   M=17 N=20 K=0,1,15,16,17,33,48,64,70
//   sizes   M=32 N=16 K=40
//   target  M=2040 N=2040 K=2040
//   grid    (N + 15) / 16, (M + 15) / 16
//   block   16, 16
//   A:      in  [M * K + 1]
//   B:      in  [K * N + 1]
//   C:      out [M * N]
//   M:      M
//   N:      N
//   K:      K
__global__ void gemm_ragged(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                            int M, int N, int K)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 593ff0f1
    int k0 = 0;
    if (k0 < K) {
        {
            float a = 0.0f;
            // rows at the bottom, columns of the last tile
            if (row < M && k0 + tx < K)
                a = A[row * K + k0 + tx];
            as[ty][tx] = a;

            float b = 0;
            if (col < N && k0 + ty < K) {
                b = __ldg(&B[(k0 + ty) * N + col]);
            }
            bs[ty][tx] = b;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < K; k0 += TILE) {
            float a = 0.0f;
            // rows at the bottom, columns of the last tile
            if (row < M && k0 + tx < K)
                a = A[row * K + k0 + tx];

            float b = 0;
            if (col < N && k0 + ty < K) {
                b = __ldg(&B[(k0 + ty) * N + col]);
            }

            for (int k = 0; k < TILE; ++k)
                acc += as[ty][k] * bs[k][tx];
            __syncthreads();
            as[ty][tx] = a;
            bs[ty][tx] = b;
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            acc += as[ty][k] * bs[k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}

// Four numbers at once, and several of them a thread; beyond the end is the largest distance.
//
// pipelinify: launch nearest_corner
//   sizes   n=0,1,63,64,127,128,129,256,300,512,700
//   target  n=65536
//   grid    2
//   block   64
//   boxes:  in  [n + 1] random
//   weight: in  [n + 1] random
//   least:  out [128]
//   n:      n
__global__ void __launch_bounds__(64) nearest_corner(const float4 *__restrict__ boxes,
                                                     const float *__restrict__ weight,
                                                     float *__restrict__ least, int n)
{
    __shared__ float4 box[128];
    __shared__ float w[128];
    const int t = threadIdx.x, me = blockIdx.x * 64 + t;
    float best = 1e30f;
    int inside = 0;

    // pipelinify: ldg-single, 1 stage, source 13331ab0
    int first = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            for (int i = 0; i < 128; ++i) {
                const float dx = box[i].x - 0.01f * me, dy = box[i].w - box[i].y;
                best = fminf(best, (dx * dx + dy * dy) * (w[i] + 2.0f));
                inside += dx * dx < w[i] * dy * dy;
            }
        };
#pragma unroll
        for (int i = t; i < 128; i += 64) {
            const int at = first + i;
            float4 v = make_float4(1e30f, 1e30f, 1e30f, 1e30f);
            float scale = 1.0f;
            if (at < n)
                v = boxes[at];
            if (at < n)
                scale = weight[at];
            box[i] = v;
            w[i] = scale;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 128; first < n; first += 128) {
            float4 box_next[2];
            float w_next[2];
#pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = t + slot * 64;
                const int at = first + i;
                float4 v = make_float4(1e30f, 1e30f, 1e30f, 1e30f);
                float scale = 1.0f;
                if (at < n)
                    v = boxes[at];
                if (at < n)
                    scale = weight[at];
                box_next[slot] = v;
                w_next[slot] = scale;
            }
            compute_tile();
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = t + slot * 64;
                box[i] = box_next[slot];
                w[i] = w_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    least[me] = best + inside;
}
