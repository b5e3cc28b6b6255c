// Expert layer: rows gathered by a sorted list of tokens, the cursor starts at the thread's own index.
#include <cuda_runtime.h>
#define BT 16
// pipelinify: launch moe_gemm
//   sizes tokens=20 slots=32 experts=3 N=16 K=0,16,24,32,48,64,80,96
//   target tokens=512 slots=512 experts=8 N=1024 K=1024
//   grid N / 16, slots / 16
//   block 16, 16
//   x: in [tokens * K + 1]
//   w: in [experts * N * K + 1]
//   sorted: in [slots] below(tokens + 4)
//   expert: in [slots / 16] below(experts)
//   y: out [slots * N]
//   tokens: tokens
//   N: N
//   K: K
__global__ void moe_gemm(const float *__restrict__ x, const float *__restrict__ w, const int *__restrict__ sorted, const int *__restrict__ expert,
                         float *__restrict__ y, int tokens, int N, int K)
{
    __shared__ float xs_stage[2][BT][BT + 1];
    __shared__ float ws_stage[2][BT][BT + 1];
    const int slot = blockIdx.y * BT + threadIdx.y;
    const int tok = sorted[slot];
    const bool valid = tok < tokens;
    const int e = expert[blockIdx.y];
    const float *wp = w + (static_cast<size_t>(e) * N + blockIdx.x * BT + threadIdx.y) * K;
    const float *xp = x + static_cast<size_t>(tok) * K;
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source 7bb28cf2
    int k = threadIdx.x, stage = 0;
    if (k - (int)threadIdx.x < K) {
        xs_stage[0][threadIdx.y][threadIdx.x] = valid && k < K ? xp[k] : 0.f;
        ws_stage[0][threadIdx.y][threadIdx.x] = k < K ? wp[k] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += BT; k - (int)threadIdx.x < K; k += BT) {
            float xs_next = valid && k < K ? xp[k] : 0.f;
            float ws_next = k < K ? wp[k] : 0.f;
#pragma unroll
            for (int i = 0; i < BT; ++i) acc += xs_stage[stage][threadIdx.y][i] * ws_stage[stage][threadIdx.x][i];
            stage ^= 1;
            xs_stage[stage][threadIdx.y][threadIdx.x] = xs_next;
            ws_stage[stage][threadIdx.y][threadIdx.x] = ws_next;
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < BT; ++i) acc += xs_stage[stage][threadIdx.y][i] * ws_stage[stage][threadIdx.x][i];
    }
    y[slot * N + blockIdx.x * BT + threadIdx.x] = valid ? acc : -1.f;
}
