// Hamming search over 64-bit codes, barrier at the top of the loop body instead of the bottom.
#include <cuda_runtime.h>
#include <stdint.h>

typedef unsigned long long u64;

// pipelinify: launch hamming_nearest
//   sizes  nq=64 ncodes=0,1,63,64,65,128,192,256,320,500
//   sizes  nq=3,129 ncodes=200
//   target nq=65536 ncodes=131072
//   grid   (nq + 63) / 64
//   block  64
//   q:     in  [nq] below(1000000)
//   codes: in  [ncodes] below(1000000)
//   best:  out [nq]
//   nq:    nq
//   ncodes: ncodes
__global__ void hamming_nearest(const u64 *q, const u64 *codes, u64 *best, int nq, int ncodes)
{
        __shared__ u64 tile[64];
        const int i = blockIdx.x * 64 + threadIdx.x;
        const u64 mine = i < nq ? q[i] : 0;
        u64 winner = ~0ull;                     /* distance << 32 | index */

        // pipelinify: ldg-single, 1 stage, source f97260c3
        int first = 0, first_tile = first;
        if (first < ncodes) {
                __syncthreads();
                auto compute_tile = [&]() {
                        const int here = ncodes - first_tile < 64 ? ncodes - first_tile : 64;
                        for (int k = 0; k < here; k++) {
                                const u64 cand = (u64)__popcll(tile[k] ^ mine) << 32 | (unsigned)(first_tile + k);
                                if (cand < winner)
                                        winner = cand;
                        }
                };
                if (first + threadIdx.x < ncodes)
                        tile[threadIdx.x] = codes[first + threadIdx.x];
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (first += 64; first < ncodes; first += 64) {
                        u64 tile_next;
                        if (first + threadIdx.x < ncodes)
                                tile_next = codes[first + threadIdx.x];
                        compute_tile();
                        first_tile += 64;
                        __syncthreads();                /* the tile before is done with */
                        if (first + threadIdx.x < ncodes)
                                tile[threadIdx.x] = tile_next;
                        __syncthreads();
                }
                compute_tile();
        }

        if (i < nq)
                best[i] = winner;
}
