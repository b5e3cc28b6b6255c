// Local alignment scores without gaps, a query a thread: the pointer walks through
// the database in steps of at most a segment, to its very end.
// pipelinify: launch score_query
//   sizes    nq=1,40 L=0,1,31,32,33,100
//   target   nq=65536 L=4096
//   grid     (nq + 63) / 64
//   block    64
//   db:      in [L + 1] below(20)
//   prof:    in [20 * nq] random
//   best:    out [nq]
//   nq:      nq
//   L:       L
//   gap:     0.5
#include <cuda_runtime.h>
typedef unsigned char residue_t;
__global__ void score_query(const residue_t *__restrict__ db, const float *__restrict__ prof, float *__restrict__ best,
                            int nq, int L, float gap)
{
    __shared__ residue_t seq[32];
    const int q = threadIdx.x + blockIdx.x * blockDim.x;
    const bool active = q < nq;
    float run = 0.f, top = 0.f;
    const residue_t *p = db, *const stop = db + L;
    // pipelinify: ldg-single, 1 stage, source 8a1c0325
    auto p_tile = p;
    if (p < stop) {
        auto compute_tile = [&]() {
            int m = (int)(stop - p_tile);
            if (m > 32) m = 32;
            if (active) {
                for (int i = 0; i < m; ++i) {
                    run = fmaxf(0.f, run - gap + prof[seq[i] * nq + q]);
                    top = fmaxf(top, run);
                }
            }
            p_tile += m;
        };
        {
            int m = (int)(stop - p);
            if (m > 32) m = 32;
            for (int i = threadIdx.x; i < m; i += blockDim.x) seq[i] = p[i];
            p += m;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (p < stop) {
            residue_t seq_next[1];
            int m = (int)(stop - p);
            if (m > 32) m = 32;
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < m)
                    seq_next[slot] = p[i];
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < m)
                    seq[i] = seq_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + blockDim.x; i < m; i += blockDim.x)
                seq[i] = p[i];
            p += m;
            __syncthreads();
        }
        compute_tile();
    }
    if (active) best[q] = top;
}
