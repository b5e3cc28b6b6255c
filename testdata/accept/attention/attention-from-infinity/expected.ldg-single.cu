// Attention of one query a thread; the running maximum begins at minus infinity.
#include <cuda_fp16.h>

template <typename Element, int kBlockM, int kBlockN, int kHeadDim>
__global__ void attend(const Element *__restrict__ q_ptr, const Element *__restrict__ k_ptr,
                       const Element *__restrict__ v_ptr, Element *__restrict__ o_ptr, int seqlen_q, int seqlen_k,
                       int q_per_k, float scale_softmax, bool is_causal)
{
    __shared__ Element sK[kBlockN][kHeadDim];
    __shared__ Element sV[kBlockN][kHeadDim];

    const int bidh = blockIdx.y;
    const int row = blockIdx.x * kBlockM + threadIdx.x;
    const Element *q = q_ptr + bidh * seqlen_q * kHeadDim;
    const Element *k = k_ptr + bidh / q_per_k * seqlen_k * kHeadDim;
    const Element *v = v_ptr + bidh / q_per_k * seqlen_k * kHeadDim;

    float rq[kHeadDim], acc[kHeadDim];
    for (int i = 0; i < kHeadDim; ++i) {
        rq[i] = row < seqlen_q ? float(q[row * kHeadDim + i]) * scale_softmax : 0.f;
        acc[i] = 0.f;
    }
    float m = -INFINITY, l = 0.f;

    const int n_block_max = (seqlen_k + kBlockN - 1) / kBlockN;
    // pipelinify: ldg-single, 1 stage, source 087145c4
    static_assert(__is_trivially_copyable(Element) && !__is_same(Element, volatile Element),
                  "Element must be plain data and not volatile");
    int n_block = 0, n_block_tile = n_block;
    if (n_block < n_block_max) {
        auto compute_tile = [&]() {
            for (int n = 0; n < kBlockN; ++n) {
                if (n_block_tile * kBlockN + n >= seqlen_k || (is_causal && n_block_tile * kBlockN + n > row)) break;
                float s = 0.f;
                for (int i = 0; i < kHeadDim; ++i) s += rq[i] * float(sK[n][i]);
                const float m_new = fmaxf(m, s);
                const float alpha = __expf(m - m_new), p = __expf(s - m_new);
                l = l * alpha + p;
                for (int i = 0; i < kHeadDim; ++i) acc[i] = acc[i] * alpha + p * float(sV[n][i]);
                m = m_new;
            }
        };
        for (int i = threadIdx.x; i < kBlockN * kHeadDim; i += kBlockM) {
            const int r = n_block * kBlockN + i / kHeadDim, c = i % kHeadDim;
            sK[i / kHeadDim][c] = r < seqlen_k ? k[r * kHeadDim + c] : Element(0.f);
            sV[i / kHeadDim][c] = r < seqlen_k ? v[r * kHeadDim + c] : Element(0.f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++n_block; n_block < n_block_max; ++n_block) {
            Element sK_next[(kBlockN * kHeadDim + kBlockM - 1) / kBlockM];
            Element sV_next[(kBlockN * kHeadDim + kBlockM - 1) / kBlockM];
            #pragma unroll
            for (int slot = 0; slot < (kBlockN * kHeadDim + kBlockM - 1) / kBlockM; ++slot) {
                int i = threadIdx.x + slot * kBlockM;
                if (i < kBlockN * kHeadDim) {
                    const int r = n_block * kBlockN + i / kHeadDim, c = i % kHeadDim;
                    sK_next[slot] = Element(0.f);
                    if (r < seqlen_k)
                        sK_next[slot] = k[r * kHeadDim + c];
                    sV_next[slot] = Element(0.f);
                    if (r < seqlen_k)
                        sV_next[slot] = v[r * kHeadDim + c];
                }
            }
            compute_tile();
            ++n_block_tile;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (kBlockN * kHeadDim + kBlockM - 1) / kBlockM; ++slot) {
                int i = threadIdx.x + slot * kBlockM;
                if (i < kBlockN * kHeadDim) {
                    const int c = i % kHeadDim;
                    sK[i / kHeadDim][c] = sK_next[slot];
                    sV[i / kHeadDim][c] = sV_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    Element *o = o_ptr + bidh * seqlen_q * kHeadDim;
    if (row < seqlen_q)
        for (int i = 0; i < kHeadDim; ++i) o[row * kHeadDim + i] = Element(acc[i] / l);
}

// pipelinify: launch attend<half, 64, 32, 32>
//   sizes m=5,64,70 n=1,32,40,100,128,160,200
//   target m=16384 n=2048
//   grid  (m + 63) / 64, 2
//   block 64
//   q_ptr: in    [2 * m * 32]
//   k_ptr: in    [n * 32]
//   v_ptr: in    [n * 32]
//   o_ptr: inout [2 * m * 32]
//   seqlen_q: m
//   seqlen_k: n
//   q_per_k: 2
//   scale_softmax: 0.2
//   is_causal: 0
void attend_heads(const half *q, const half *k, const half *v, half *o, int sq, int sk, int heads, int heads_k,
                  cudaStream_t stream)
{
    dim3 grid((sq + 63) / 64, heads);
    attend<half, 64, 32, 32><<<grid, 64, 0, stream>>>(q, k, v, o, sq, sk, heads / heads_k, 0.2f, false);
}
