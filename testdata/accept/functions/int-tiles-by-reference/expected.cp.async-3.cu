#include <cuda_runtime.h>
#include <cstdint>
#include <cuda_pipeline.h>

namespace fixed {

constexpr int kTile = 16;

// One step of a Q16 inner product; the sum keeps 64 bits.
template <int ROWS, int DEPTH>
__device__ void accumulate(const int32_t (&left)[ROWS][DEPTH + 1], const int32_t (&right)[DEPTH][ROWS],
                           int64_t& sum)
{
    const auto& own = left[threadIdx.y];
#pragma unroll
    for (int d = 0; d < DEPTH; ++d)
        sum += int64_t(own[d]) * right[d][threadIdx.x];
}

template <int DEPTH>
__device__ void count_zeros(int32_t (&row)[DEPTH + 1], int& zeros)
{
    for (int d = 0; d < DEPTH; ++d)
        zeros += row[d] == 0;
}

}  // namespace fixed

// Product of two matrices of Q16 numbers, and how many zeros each row met.
// pipelinify: launch multiply_q16
//   sizes  m=16 n=16 k=0,1,15,16,17,32,48,70
//   sizes  m=33 n=40 k=17,48
//   target m=2048 n=2048 k=2048
//   let    T = 16
//   grid   (n + T - 1) / T, (m + T - 1) / T
//   block  T, T
//   a:     in  [m * k] range(-70000, 70000)
//   b:     in  [k * n] range(-70000, 70000)
//   c:     out [m * n]
//   zeros: out [m * n]
//   m:     m
//   n:     n
//   k:     k
__global__ void multiply_q16(const int32_t* __restrict__ a, const int32_t* __restrict__ b,
                             int64_t* __restrict__ c, int* __restrict__ zeros, int m, int n, int k)
{
    using namespace fixed;
    constexpr int stages = 3;
    __shared__ int32_t left_stage[stages][kTile][kTile + 1];
    __shared__ int32_t right_stage[stages][kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    int64_t sum = 0;
    int met = 0;

    // pipelinify: cp.async, 3 stages, source c8a71352
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            __pipeline_memcpy_async(&left_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &a[row * k + k0_load + threadIdx.x], sizeof(int32_t),
                                    (row < m && k0_load + threadIdx.x < k) ? 0 : sizeof(int32_t));
            __pipeline_memcpy_async(&right_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &b[(k0_load + threadIdx.y) * n + col], sizeof(int32_t),
                                    (col < n && k0_load + threadIdx.y < k) ? 0 : sizeof(int32_t));
            k0_load += kTile;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += kTile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        accumulate<kTile, kTile>(left_stage[stage], right_stage[stage], sum);
        count_zeros<kTile>(left_stage[stage][threadIdx.y], met);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (row < m && col < n) {
        c[row * n + col] = sum >> 16;
        zeros[row * n + col] = met;
    }
}
