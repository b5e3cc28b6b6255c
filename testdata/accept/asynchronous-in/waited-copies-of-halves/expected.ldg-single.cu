#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

// All of a tile of two dimensions, as aligned as it says.
// pipelinify: launch halves
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 512] random
//   out:     out [64]
//   tiles:   tiles
__global__ void halves(const __half *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ __align__(16) __half s[8][64];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source bf440297
    int k = 0;
    if (k < tiles) {
        __syncthreads();
        for (int e = cg::this_thread_block().thread_rank(); e < 64;
             e += cg::this_thread_block().size())
            reinterpret_cast<uint4 *>(&s[0][0])[e] =
            reinterpret_cast<const uint4 *>(a + k * 512)[e];
        cg::this_thread_block().sync();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            uint4 s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e =
                    cg::this_thread_block().thread_rank() + slot * (cg::this_thread_block().size());
                if (e < 64)
                    s_next[slot] = reinterpret_cast<const uint4 *>(a + k * 512)[e];
            }
            for (int r = 0; r < 8; ++r)
                sum += __half2float(s[r][(threadIdx.x + r) % 64]) * (float)(r + 1);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e =
                    cg::this_thread_block().thread_rank() + slot * (cg::this_thread_block().size());
                if (e < 64)
                    reinterpret_cast<uint4 *>(&s[0][0])[e] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = cg::this_thread_block().thread_rank() +
                 8 * (cg::this_thread_block().size()); e < 64; e += cg::this_thread_block().size())
                reinterpret_cast<uint4 *>(&s[0][0])[e] =
                    reinterpret_cast<const uint4 *>(a + k * 512)[e];
            cg::this_thread_block().sync();
        }
        for (int r = 0; r < 8; ++r)
            sum += __half2float(s[r][(threadIdx.x + r) % 64]) * (float)(r + 1);
    }
    out[threadIdx.x] = sum;
}
