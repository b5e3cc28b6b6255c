// How many tiles a block has stands in an object: its constructor is a template, and looks at the
// parameters and at the block alone. Traits, and a switch over a boolean.
#include <cuda_runtime.h>

struct Params {
    const float *__restrict__ q, *__restrict__ k, *__restrict__ v;
    float *__restrict__ o;
    int seqlen_q, seqlen_k;
    float scale;
    int window; // keys in sight of a query; 0: all
};

template <int kHeadDim_, int kBlockM_, int kBlockN_, typename elem_type>
struct Traits {
    using Element = elem_type;
    static constexpr int kHeadDim = kHeadDim_, kBlockM = kBlockM_, kBlockN = kBlockN_;
};

template <bool Is_causal>
struct BlockInfo {
    int n_block_max;
    int first;

    template <typename P>
    __device__ BlockInfo(const P &p, int m_block, int kBlockM, int kBlockN)
        : n_block_max((p.seqlen_k + kBlockN - 1) / kBlockN), first(0)
    {
        if (Is_causal)
            n_block_max = min(n_block_max, ((m_block + 1) * kBlockM + kBlockN - 1) / kBlockN);
        if (p.window > 0) {
            first = max(0, m_block * kBlockM - p.window) / kBlockN;
        } else {
            first = 0;
        }
    }
};

template <typename Kernel_traits, bool Is_causal>
__device__ __forceinline__ void attend(const Params &params)
{
    using Element = typename Kernel_traits::Element;
    constexpr int kBlockM = Kernel_traits::kBlockM, kBlockN = Kernel_traits::kBlockN;
    constexpr int kHeadDim = Kernel_traits::kHeadDim;
    __shared__ Element sK[kBlockN * kHeadDim];
    __shared__ Element sV[kBlockN * kHeadDim];

    const int m_block = blockIdx.x, row = m_block * kBlockM + threadIdx.x;
    const BlockInfo<Is_causal> binfo(params, m_block, kBlockM, kBlockN);
    float q[kHeadDim], o[kHeadDim], m = -1e30f, l = 0.f;
#pragma unroll
    for (int i = 0; i < kHeadDim; ++i) {
        q[i] = float(params.q[row * kHeadDim + i]) * params.scale;
        o[i] = 0.f;
    }

    // pipelinify: ldg-single, 1 stage, source fc36eae0
    int n_block = binfo.first, n_block_tile = n_block;
    if (n_block < binfo.n_block_max) {
        auto compute_tile = [&]() {
            for (int j = 0; j < kBlockN; ++j) {
                const int col = n_block_tile * kBlockN + j;
                if (col >= params.seqlen_k || (Is_causal && col > row))
                    break;
                float s = 0.f;
#pragma unroll
                for (int i = 0; i < kHeadDim; ++i)
                    s += q[i] * float(sK[j * kHeadDim + i]);
                const float mn = fmaxf(m, s), a = __expf(m - mn), p = __expf(s - mn);
                l = l * a + p;
#pragma unroll
                for (int i = 0; i < kHeadDim; ++i)
                    o[i] = o[i] * a + p * float(sV[j * kHeadDim + i]);
                m = mn;
            }
        };
        for (int i = threadIdx.x; i < kBlockN * kHeadDim; i += kBlockM) {
            const int r = n_block * kBlockN + i / kHeadDim, c = i % kHeadDim;
            sK[i] = r < params.seqlen_k ? params.k[r * kHeadDim + c] : Element(0.f);
            sV[i] = r < params.seqlen_k ? params.v[r * kHeadDim + c] : Element(0.f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++n_block; n_block < binfo.n_block_max; ++n_block) {
            float sK_next[(kBlockN * kHeadDim + kBlockM - 1) / kBlockM];
            float sV_next[(kBlockN * kHeadDim + kBlockM - 1) / kBlockM];
#pragma unroll
            for (int slot = 0; slot < (kBlockN * kHeadDim + kBlockM - 1) / kBlockM; ++slot) {
                int i = threadIdx.x + slot * kBlockM;
                if (i < kBlockN * kHeadDim) {
                    const int r = n_block * kBlockN + i / kHeadDim, c = i % kHeadDim;
                    sK_next[slot] = r < params.seqlen_k ? params.k[r * kHeadDim + c] : Element(0.f);
                    sV_next[slot] = r < params.seqlen_k ? params.v[r * kHeadDim + c] : Element(0.f);
                }
            }
            compute_tile();
            ++n_block_tile;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < (kBlockN * kHeadDim + kBlockM - 1) / kBlockM; ++slot) {
                int i = threadIdx.x + slot * kBlockM;
                if (i < kBlockN * kHeadDim) {
                    sK[i] = sK_next[slot];
                    sV[i] = sV_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    for (int i = 0; i < kHeadDim; ++i)
        params.o[row * kHeadDim + i] = Element(o[i] / (l + 1e-9f));
}

// pipelinify: launch attend_causal
//   sizes    seqlen_q=32,64 seqlen_k=0,1,15,16,17,33,64 window=0,20
//   target   seqlen_q=4096 seqlen_k=4096 window=0
//   grid     seqlen_q / 32
//   block    32
//   q:       in  [8 * seqlen_q]
//   k:       in  [8 * seqlen_k + 8]
//   v:       in  [8 * seqlen_k + 8]
//   o:       out [8 * seqlen_q]
//   seqlen_q: seqlen_q
//   seqlen_k: seqlen_k
//   window:  window
__global__ void attend_causal(const float *q, const float *k, const float *v, float *o, int seqlen_q,
                              int seqlen_k, int window)
{
    const Params params{q, k, v, o, seqlen_q, seqlen_k, 0.35f, window};
    attend<Traits<8, 32, 16, float>, true>(params);
}

// pipelinify: launch attend_all
//   sizes    seqlen_q=32,64 seqlen_k=0,1,15,16,17,33,64 window=0,20
//   target   seqlen_q=4096 seqlen_k=4096 window=0
//   grid     seqlen_q / 32
//   block    32
//   q:       in  [8 * seqlen_q]
//   k:       in  [8 * seqlen_k + 8]
//   v:       in  [8 * seqlen_k + 8]
//   o:       out [8 * seqlen_q]
//   seqlen_q: seqlen_q
//   seqlen_k: seqlen_k
//   window:  window
__global__ void attend_all(const float *q, const float *k, const float *v, float *o, int seqlen_q,
                           int seqlen_k, int window)
{
    const Params params{q, k, v, o, seqlen_q, seqlen_k, 0.35f, window};
    attend<Traits<8, 32, 16, float>, false>(params);
}
