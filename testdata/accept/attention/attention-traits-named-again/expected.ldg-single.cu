// Attention with online softmax in fp32 registers with half tiles; causal mask is optional.
#include <cuda_fp16.h>

template <int kHeadDim_, int kBlockM_, int kBlockN_, int kNThreads_>
struct Tile_traits {
    using Element = half;
    using ElementAccum = float;
    static constexpr int kHeadDim = kHeadDim_;
    static constexpr int kBlockM = kBlockM_;
    static constexpr int kBlockN = kBlockN_;
    static constexpr int kNThreads = kNThreads_;
    static constexpr int kPad = 8;
    static constexpr int kVecElems = sizeof(uint4) / sizeof(Element);
    static constexpr int kVecsPerRow = kHeadDim / kVecElems;
};

namespace attn {

template <typename Traits>
__device__ __forceinline__ void copy_tile(typename Traits::Element (*dst)[Traits::kHeadDim + Traits::kPad],
                                          const typename Traits::Element* __restrict__ src, int rows, int valid)
{
    using T = Traits;
#pragma unroll
    for (int i = threadIdx.x; i < T::kBlockN * T::kVecsPerRow; i += T::kNThreads) {
        const int r = i / T::kVecsPerRow;
        const int c = (i % T::kVecsPerRow) * T::kVecElems;
        uint4 v = make_uint4(0u, 0u, 0u, 0u);
        if (r < valid) v = *reinterpret_cast<const uint4*>(src + r * T::kHeadDim + c);
        *reinterpret_cast<uint4*>(&dst[r][c]) = v;
    }
}

template <typename Traits>
__device__ __forceinline__ auto copy_tile_fetch(const typename Traits::Element* __restrict__ src, int valid)
{
    using T = Traits;
    struct {
        uint4 dst_next[(T::kBlockN * T::kVecsPerRow + T::kNThreads - 1) / T::kNThreads];
    } next;
#pragma unroll
    for (int slot = 0; slot < (T::kBlockN * T::kVecsPerRow + T::kNThreads - 1) / T::kNThreads; ++slot) {
        int i = threadIdx.x + slot * T::kNThreads;
        if (i < T::kBlockN * T::kVecsPerRow) {
            const int r = i / T::kVecsPerRow;
            const int c = (i % T::kVecsPerRow) * T::kVecElems;
            uint4 v = make_uint4(0u, 0u, 0u, 0u);
            if (r < valid)
                v = *reinterpret_cast<const uint4*>(src + r * T::kHeadDim + c);
            next.dst_next[slot] = v;
        }
    }
    return next;
}

template <typename Traits, typename Registers>
__device__ __forceinline__ void copy_tile_store(typename Traits::Element (*dst)[Traits::kHeadDim + Traits::kPad],
                                                const Registers &next)
{
    using T = Traits;
#pragma unroll
    for (int slot = 0; slot < (T::kBlockN * T::kVecsPerRow + T::kNThreads - 1) / T::kNThreads; ++slot) {
        int i = threadIdx.x + slot * T::kNThreads;
        if (i < T::kBlockN * T::kVecsPerRow) {
            const int r = i / T::kVecsPerRow;
            const int c = (i % T::kVecsPerRow) * T::kVecElems;
            *reinterpret_cast<uint4*>(&dst[r][c]) = next.dst_next[slot];
        }
    }
}

template <typename Traits, bool Is_causal>
__global__ void __launch_bounds__(Traits::kNThreads)
attention_fwd(const half* __restrict__ q_ptr, const half* __restrict__ k_ptr, const half* __restrict__ v_ptr,
                 half* __restrict__ o_ptr, int seqlen_q, int seqlen_k, float scale_softmax_log2)
{
    using Element = typename Traits::Element;
    constexpr int kHeadDim = Traits::kHeadDim;
    constexpr int kBlockM = Traits::kBlockM;
    constexpr int kBlockN = Traits::kBlockN;
    static_assert(Traits::kNThreads == kBlockM, "one thread a query row");

    __shared__ __align__(16) Element sK[kBlockN][kHeadDim + Traits::kPad];
    __shared__ __align__(16) Element sV[kBlockN][kHeadDim + Traits::kPad];

    const int m_block = blockIdx.x;
    const int bidh = blockIdx.y;
    const int row = m_block * kBlockM + threadIdx.x;

    const Element* gK = k_ptr + (size_t)bidh * seqlen_k * kHeadDim;
    const Element* gV = v_ptr + (size_t)bidh * seqlen_k * kHeadDim;

    float rQ[kHeadDim];
#pragma unroll
    for (int d = 0; d < kHeadDim; ++d)
        rQ[d] = row < seqlen_q ? __half2float(q_ptr[((size_t)bidh * seqlen_q + row) * kHeadDim + d]) : 0.f;

    float acc_o[kHeadDim] = {};
    float row_max = -INFINITY, row_sum = 0.f;

    int n_block_max = (seqlen_k + kBlockN - 1) / kBlockN;
    if (Is_causal) {
        n_block_max = min(n_block_max, ((m_block + 1) * kBlockM + seqlen_k - seqlen_q + kBlockN - 1) / kBlockN);
    }

    // pipelinify: ldg-single, 1 stage, source 11996830
    static_assert(__is_same(Traits, Tile_traits<16, 32, 16, 32>),
                  "pipelined for this Traits alone: run pipelinify again for another");
    int n_block = n_block_max - 1, n_block_tile = n_block;
    if (n_block >= 0) {
        auto compute_tile = [&]() {
            float acc_s[kBlockN];
            float m_cur = row_max;
#pragma unroll
            for (int n = 0; n < kBlockN; ++n) {
                float s = 0.f;
#pragma unroll
                for (int d = 0; d < kHeadDim; ++d) s += rQ[d] * __half2float(sK[n][d]);
                const int col = n_block_tile * kBlockN + n;
                const bool masked = col >= seqlen_k || (Is_causal && col > row + seqlen_k - seqlen_q);
                acc_s[n] = masked ? -INFINITY : s;
                m_cur = fmaxf(m_cur, acc_s[n]);
            }

            const float m_safe = m_cur == -INFINITY ? 0.f : m_cur;
            const float scale = exp2f((row_max - m_safe) * scale_softmax_log2);
            row_sum *= scale;
#pragma unroll
            for (int d = 0; d < kHeadDim; ++d) acc_o[d] *= scale;
#pragma unroll
            for (int n = 0; n < kBlockN; ++n) {
                const float p = exp2f((acc_s[n] - m_safe) * scale_softmax_log2);
                row_sum += p;
#pragma unroll
                for (int d = 0; d < kHeadDim; ++d) acc_o[d] += p * __half2float(sV[n][d]);
            }
            row_max = m_cur;
        };
        copy_tile<Traits>(sK, gK + n_block * kBlockN * kHeadDim, kBlockN, seqlen_k - n_block * kBlockN);
        copy_tile<Traits>(sV, gV + n_block * kBlockN * kHeadDim, kBlockN, seqlen_k - n_block * kBlockN);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (--n_block; n_block >= 0; --n_block) {
            auto sK_next = copy_tile_fetch<Traits>(gK + n_block * kBlockN * kHeadDim, seqlen_k - n_block * kBlockN);
            auto sV_next = copy_tile_fetch<Traits>(gV + n_block * kBlockN * kHeadDim, seqlen_k - n_block * kBlockN);
            compute_tile();
            --n_block_tile;
            __syncthreads();
            copy_tile_store<Traits>(sK, sK_next);
            copy_tile_store<Traits>(sV, sV_next);
            __syncthreads();
        }
        compute_tile();
    }

    if (row < seqlen_q) {
        const float inv = row_sum == 0.f ? 1.f : 1.f / row_sum;
#pragma unroll
        for (int d = 0; d < kHeadDim; ++d)
            o_ptr[((size_t)bidh * seqlen_q + row) * kHeadDim + d] = __float2half(acc_o[d] * inv);
    }
}

}  // namespace attn

// pipelinify: launch attn::attention_fwd<Tile_traits<16, 32, 16, 32>, true>
//   sizes M=5,32,40 N=5,16,20,33,48,64,80,96
//   target M=8192 N=8192
//   requires N >= M
//   grid (M + 31) / 32, 2
//   block 32
//   q_ptr: in [2 * M * 16]
//   k_ptr: in [2 * N * 16 + 8]
//   v_ptr: in [2 * N * 16 + 8]
//   o_ptr: inout [2 * M * 16]
//   seqlen_q: M
//   seqlen_k: N
//   scale_softmax_log2: 0.36
template <typename Traits>
void run_attention(const half* q, const half* k, const half* v, half* o, int bh, int sq, int sk, bool causal,
                   float scale, cudaStream_t stream)
{
    dim3 grid((sq + Traits::kBlockM - 1) / Traits::kBlockM, bh);
    auto kernel = causal ? &attn::attention_fwd<Traits, true> : &attn::attention_fwd<Traits, false>;
    kernel<<<grid, Traits::kNThreads, 0, stream>>>(q, k, v, o, sq, sk, scale * 1.4426950f);
}
template void run_attention<Tile_traits<16, 32, 16, 32>>(const half*, const half*, const half*, half*,
                                                                  int, int, int, bool, float, cudaStream_t);
