// Fragments whose members say in the class what they begin as, and a helper whose
// end nothing reaches.
#include <cuda_runtime.h>

constexpr int DEEP = 8;
constexpr int WIDE = 32;

template <int ROWS, int COLS, typename T>
struct Fragment {
    static constexpr int count = ROWS * COLS;
    T v[count] = {0};

    static __device__ __forceinline__ int row(int i) { return i / COLS; }
    static __device__ __forceinline__ int col(int i) { return i % COLS; }
};

template <int ROWS, int COLS>
__device__ __forceinline__ void add_product(Fragment<ROWS, COLS, float> &c, const Fragment<ROWS, 1, float> &a,
                                            const Fragment<1, COLS, float> &b)
{
    for (int i = 0; i < c.count; ++i)
        c.v[i] += a.v[c.row(i)] * b.v[c.col(i)];
}

// Four codes of two bits.
__device__ __forceinline__ float decoded(unsigned code)
{
    switch (code & 3u) {
    case 0: return -1.f;
    case 1: return 0.f;
    case 2: return 0.5f;
    case 3: return 1.f;
    }
    __builtin_unreachable();
}

// pipelinify: launch outer_products
//   sizes    K=0,8,16,24,64
//   target   K=16384
//   grid     2
//   block    64
//   A:       in  [K * 64 + 1]
//   B:       in  [K * 32 + 1]
//   C:       out [64 * 32]
//   K:       K
__global__ void __launch_bounds__(64) outer_products(const float *__restrict__ A,
                                                     const unsigned *__restrict__ B, float *__restrict__ C, int K)
{
    using Accumulator = Fragment<4, 4, float>;
    __shared__ float a_stage[2][DEEP][32];
    __shared__ float b_stage[2][DEEP][WIDE];
    const int t = threadIdx.x, ty = t / 8, tx = t % 8;
    Accumulator c;

    // pipelinify: ldg, 2 stages, source ca39a062
    int k0 = 0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            for (int k = 0; k < DEEP; ++k) {
                Fragment<4, 1, float> left;
                Fragment<1, 4, float> right;
                for (int i = 0; i < 4; ++i) {
                    left.v[i] += a_stage[stage][k][ty * 4 + i];
                    right.v[i] += b_stage[stage][k][tx * 4 + i];
                }
                add_product(c, left, right);
            }
        };
        for (int i = t; i < DEEP * 32; i += 64) {
            a_stage[0][i / 32][i % 32] = A[(k0 + i / 32) * 64 + blockIdx.x * 32 + i % 32];
            b_stage[0][i / WIDE][i % WIDE] = decoded(B[(k0 + i / WIDE) * WIDE + i % WIDE]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += DEEP; k0 < K; k0 += DEEP) {
            float a_next[DEEP * 32 / 64];
            unsigned int b_next[DEEP * 32 / 64];
            #pragma unroll
            for (int slot = 0; slot < DEEP * 32 / 64; ++slot) {
                int i = t + slot * 64;
                a_next[slot] = A[(k0 + i / 32) * 64 + blockIdx.x * 32 + i % 32];
                b_next[slot] = B[(k0 + i / WIDE) * WIDE + i % WIDE];
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < DEEP * 32 / 64; ++slot) {
                int i = t + slot * 64;
                a_stage[stage][i / 32][i % 32] = a_next[slot];
                b_stage[stage][i / WIDE][i % WIDE] = decoded(b_next[slot]);
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int i = 0; i < c.count; ++i)
        C[(blockIdx.x * 32 + ty * 4 + Accumulator::row(i)) * 32 + tx * 4 + Accumulator::col(i)] = c.v[i];
}
