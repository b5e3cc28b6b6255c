// Attention of one query a thread; the running maximum begins at minus infinity.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

template <typename Element, int kBlockM, int kBlockN, int kHeadDim>
__global__ void attend(const Element *__restrict__ q_ptr, const Element *__restrict__ k_ptr,
                       const Element *__restrict__ v_ptr, Element *__restrict__ o_ptr, int seqlen_q, int seqlen_k,
                       int q_per_k, float scale_softmax, bool is_causal)
{
    constexpr int stages = 3;
    __shared__ __align__(16) Element sK_stage[stages][kBlockN][kHeadDim];
    __shared__ __align__(16) Element sV_stage[stages][kBlockN][kHeadDim];

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
    // pipelinify: cp.async, 3 stages, source 087145c4
    static_assert(__is_trivially_copyable(Element) && !__is_same(Element, volatile Element),
                  "Element must be plain data and not volatile");
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == kBlockM && (kBlockN * kHeadDim) % 8 == 0 && sizeof(Element) == 2 &&
                        __is_trivially_copyable(Element) && kHeadDim % 8 == 0 && (size_t)k_ptr % 16 == 0 &&
                        (size_t)v_ptr % 16 == 0;
    int n_block_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (n_block_load < n_block_max) {
            if (joined) {
                for (int i = 8 * threadIdx.x; i < kBlockN * kHeadDim; i += 8 * kBlockM) {
                    const int r = n_block_load * kBlockN + i / kHeadDim, c = i % kHeadDim;
                    if (r < seqlen_k) {
                        __pipeline_memcpy_async(&sK_stage[load_stage][i / kHeadDim][c], &k[r * kHeadDim + c], 16);
                    } else {
                        for (int each = 0; each < 8; ++each) {
                            (&sK_stage[load_stage][i / kHeadDim][c])[each] = Element(0.f);
                        }
                    }
                    if (r < seqlen_k) {
                        __pipeline_memcpy_async(&sV_stage[load_stage][i / kHeadDim][c], &v[r * kHeadDim + c], 16);
                    } else {
                        for (int each = 0; each < 8; ++each) {
                            (&sV_stage[load_stage][i / kHeadDim][c])[each] = Element(0.f);
                        }
                    }
                }
            } else {
                for (int i = threadIdx.x; i < kBlockN * kHeadDim; i += kBlockM) {
                    const int r = n_block_load * kBlockN + i / kHeadDim, c = i % kHeadDim;
                    sK_stage[load_stage][i / kHeadDim][c] = r < seqlen_k ? k[r * kHeadDim + c] : Element(0.f);
                    sV_stage[load_stage][i / kHeadDim][c] = r < seqlen_k ? v[r * kHeadDim + c] : Element(0.f);
                }
            }
            ++n_block_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int n_block = 0; n_block < n_block_max; ++n_block) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int n = 0; n < kBlockN; ++n) {
            if (n_block * kBlockN + n >= seqlen_k || (is_causal && n_block * kBlockN + n > row)) break;
            float s = 0.f;
            for (int i = 0; i < kHeadDim; ++i) s += rq[i] * float(sK_stage[stage][n][i]);
            const float m_new = fmaxf(m, s);
            const float alpha = __expf(m - m_new), p = __expf(s - m_new);
            l = l * alpha + p;
            for (int i = 0; i < kHeadDim; ++i) acc[i] = acc[i] * alpha + p * float(sV_stage[stage][n][i]);
            m = m_new;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
