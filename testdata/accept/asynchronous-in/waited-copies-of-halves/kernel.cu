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
    for (int k = 0; k < tiles; ++k) {
        __syncthreads();
        cg::memcpy_async(cg::this_thread_block(), &s[0][0], a + k * 512,
                         cuda::aligned_size_t<16>(sizeof(s)));
        cg::wait(cg::this_thread_block());
        for (int r = 0; r < 8; ++r)
            sum += __half2float(s[r][(threadIdx.x + r) % 64]) * (float)(r + 1);
    }
    out[threadIdx.x] = sum;
}
