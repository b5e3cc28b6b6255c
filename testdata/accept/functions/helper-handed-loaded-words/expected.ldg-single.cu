// Weights of four bits, eight in a word: the word and its zeros are read where the helper is called that unpacks them.
#include <cuda_fp16.h>
#define GROUP 64
#define BK 32
#define BN 64

__device__ __constant__ int nibble_order[8] = { 0, 4, 1, 5, 2, 6, 3, 7 };

__device__ __forceinline__ void unpack_word(unsigned packed, unsigned zeros, const half *scales,
                                           half *dst)
{
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int shift = 4 * nibble_order[i];
        const int q = (packed >> shift) & 0xF;
        const int z = (zeros >> shift) & 0xF;
        dst[i] = __float2half((float)(q - z) * __half2float(scales[i]));
    }
}

struct unpack_word_registers {
    half dst_next[8];
};

__device__ __forceinline__ unpack_word_registers unpack_word_fetch(unsigned packed, unsigned zeros, const half *scales)
{
    unpack_word_registers next;
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int shift = 4 * nibble_order[i];
        const int q = (packed >> shift) & 0xF;
        const int z = (zeros >> shift) & 0xF;
        next.dst_next[i] = __float2half((float)(q - z) * __half2float(scales[i]));
    }
    return next;
}

__device__ __forceinline__ void unpack_word_store(half *dst, const unpack_word_registers &next)
{
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        dst[i] = next.dst_next[i];
    }
}

// pipelinify: launch gemm_w4a16
//   sizes    M=1,8 N=64,128 K=64,128,192
//   target   M=64 N=4096 K=4096
//   grid     N / 64, M
//   block    64
//   x:       in [M * K] random
//   qweight: in [K * N / 8] random
//   qzeros:  in [(K / 64) * N / 8] random
//   scales:  in [(K / 64) * N] random
//   y:       out [M * N]
//   N:       N
//   K:       K
__global__ __launch_bounds__(64) void
gemm_w4a16(const half *__restrict__ x, const unsigned *__restrict__ qweight,
         const unsigned *__restrict__ qzeros, const half *__restrict__ scales,
         float *__restrict__ y, int N, int K)
{
    __shared__ half w_tile[BK][BN];
    __shared__ half x_tile[BK];
    const int n0 = blockIdx.x * BN;
    const half *row = x + blockIdx.y * K;
    float acc = 0.f;

    // pipelinify: ldg-single, 1 stage, source c382099e
    int k0 = 0;
    if (k0 < K) {
        {
            const int group = k0 / GROUP;
            const half *group_scales = scales + group * N + n0;
            const unsigned *group_zeros = qzeros + (group * N + n0) / 8;
#pragma unroll
            for (int i = 0; i < BK * BN / 8 / 64; ++i) {
                const int word = i * 64 + threadIdx.x;
                const int k = word / (BN / 8), c = word % (BN / 8);
                unpack_word(qweight[((k0 + k) * N + n0) / 8 + c], group_zeros[c], group_scales + c * 8,
                           &w_tile[k][c * 8]);
            }
            if (threadIdx.x < BK)
                x_tile[threadIdx.x] = row[k0 + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            half x_tile_next;
            unpack_word_registers w_tile_next[BK * BN / 8 / 64];
            const int group = k0 / GROUP;
            const half *group_scales = scales + group * N + n0;
            const unsigned *group_zeros = qzeros + (group * N + n0) / 8;
#pragma unroll
            for (int i = 0; i < BK * BN / 8 / 64; ++i) {
                const int word = i * 64 + threadIdx.x;
                const int k = word / (BN / 8), c = word % (BN / 8);
                w_tile_next[i] =
                    unpack_word_fetch(qweight[((k0 + k) * N + n0) / 8 + c], group_zeros[c], group_scales + c * 8);
            }
            if (threadIdx.x < BK)
                x_tile_next = row[k0 + threadIdx.x];

#pragma unroll 8
            for (int k = 0; k < BK; ++k)
                acc += __half2float(x_tile[k]) * __half2float(w_tile[k][threadIdx.x]);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < BK * BN / 8 / 64; ++i) {
                const int word = i * 64 + threadIdx.x;
                const int k = word / (BN / 8), c = word % (BN / 8);
                unpack_word_store(&w_tile[k][c * 8], w_tile_next[i]);
            }
            if (threadIdx.x < BK)
                x_tile[threadIdx.x] = x_tile_next;
            __syncthreads();
        }
#pragma unroll 8
        for (int k = 0; k < BK; ++k)
            acc += __half2float(x_tile[k]) * __half2float(w_tile[k][threadIdx.x]);
    }
    y[blockIdx.y * N + n0 + threadIdx.x] = acc;
}

// A template that is called once a tile: what it is handed by reference, and by value, comes from memory.
template <typename T, int ROWS>
__device__ __forceinline__ void load_scaled(T (*tile)[33], const T *__restrict__ src, int ld, const T &scale, T shift)
{
    const T bias = shift * scale;
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        tile[r * 8 + threadIdx.y][threadIdx.x] = src[(r * 8 + threadIdx.y) * ld] * scale - bias;
}

template <typename T, int ROWS>
__device__ __forceinline__ auto load_scaled_fetch(const T *__restrict__ src, int ld, const T &scale, T shift)
{
    struct {
        T tile_next[ROWS];
    } next;
    const T bias = shift * scale;
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        next.tile_next[r] = src[(r * 8 + threadIdx.y) * ld] * scale - bias;
    return next;
}

template <typename T, int ROWS, typename Registers>
__device__ __forceinline__ void load_scaled_store(T (*tile)[33], const Registers &next)
{
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        tile[r * 8 + threadIdx.y][threadIdx.x] = next.tile_next[r];
}

// pipelinify: launch normalised_products
//   sizes    N=32,64 T=0,1,2,3,5
//   target   N=4096 T=128
//   grid     N / 32
//   block    32, 8
//   x:       in  [T * 32 * N + 32] random
//   w:       in  [T * 32 + 1] random
//   scale:   in  [T + 1] random
//   shift:   in  [T + 1] random
//   y:       out [N]
//   n:       N
//   tiles:   T
__global__ void normalised_products(const float *__restrict__ x, const float *__restrict__ w,
                                    const float *__restrict__ scale, const float *__restrict__ shift,
                                    float *__restrict__ y, int n, int tiles)
{
    __shared__ float tile[32][33];
    const int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 20eba264
    int t = 0, t_tile = t;
    if (t < tiles) {
        load_scaled<float, 4>(tile, x + (size_t)t * 32 * n + column, n, scale[t], shift[t]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            auto tile_next = load_scaled_fetch<float, 4>(x + (size_t)t * 32 * n + column, n, scale[t], shift[t]);
            for (int r = 0; r < 32; ++r)
                sum += tile[r][threadIdx.x] * w[t_tile * 32 + r];
            ++t_tile;
            __syncthreads();
            load_scaled_store<float, 4>(tile, tile_next);
            __syncthreads();
        }
        for (int r = 0; r < 32; ++r)
            sum += tile[r][threadIdx.x] * w[t_tile * 32 + r];
    }
    if (threadIdx.y == 0)
        y[column] = sum;
}
