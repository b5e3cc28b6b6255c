#include <cuda_runtime.h>
#include <cstdint>

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
    __shared__ int32_t left_stage[2][kTile][kTile + 1];
    __shared__ int32_t right_stage[2][kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    int64_t sum = 0;
    int met = 0;

    // pipelinify: ldg, 2 stages, source c8a71352
    int k0 = 0, stage = 0;
    if (k0 < k) {
        left_stage[0][threadIdx.y][threadIdx.x] = row < m && k0 + threadIdx.x < k ? a[row * k + k0 + threadIdx.x] : 0;
        right_stage[0][threadIdx.y][threadIdx.x] = col < n &&
                                                   k0 + threadIdx.y < k ? b[(k0 + threadIdx.y) * n + col] : 0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += kTile; k0 < k; k0 += kTile) {
            int32_t left_next = row < m && k0 + threadIdx.x < k ? a[row * k + k0 + threadIdx.x] : 0;
            int32_t right_next = col < n && k0 + threadIdx.y < k ? b[(k0 + threadIdx.y) * n + col] : 0;

            accumulate<kTile, kTile>(left_stage[stage], right_stage[stage], sum);
            count_zeros<kTile>(left_stage[stage][threadIdx.y], met);
            stage ^= 1;
            left_stage[stage][threadIdx.y][threadIdx.x] = left_next;
            right_stage[stage][threadIdx.y][threadIdx.x] = right_next;
            __syncthreads();
        }
        accumulate<kTile, kTile>(left_stage[stage], right_stage[stage], sum);
        count_zeros<kTile>(left_stage[stage][threadIdx.y], met);
    }

    if (row < m && col < n) {
        c[row * n + col] = sum >> 16;
        zeros[row * n + col] = met;
    }
}
