#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// pipelinify: launch arrivals
//   sizes    tiles=0,1,2,5
//   block    96
//   a:       in [tiles * 384] random
//   out:     out [96]
//   tiles:   tiles
__global__ void arrivals(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[384];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    float acc = 0;
    for (int k = 0; k < tiles; ++k) {
        cuda::memcpy_async(block, s, a + k * 384, sizeof(s), bar);
        bar.arrive_and_wait();
        for (int j = 0; j < 384; ++j)
            acc += s[(threadIdx.x + j) % 384] * (j + 1);
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = acc;
}

// Each thread copies an element of each tile; the barrier serves ahead of the loop and
// behind it, too.
// pipelinify: launch multiply<16>
//   sizes    n=16,32,80
//   grid     n/16, n/16
//   block    16,16
//   c:       out [n * n]
//   a:       in [n * n] random
//   b:       in [n * n] random
//   n:       n
template <int B>
__global__ void multiply(float *__restrict__ c, const float *__restrict__ a,
                         const float *__restrict__ b, int n)
{
    __shared__ float as[B][B];
    __shared__ float bs[B][B];
    __shared__ float scale[B];
    __shared__ block_barrier bar;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * B + ty, col = blockIdx.x * B + tx;
    if (tx == 0 && ty == 0)
        init(&bar, B * B);
    __syncthreads();
    if (ty == 0)
        scale[tx] = 0.5f + tx;
    bar.arrive_and_wait();
    float sum = 0;
    for (int k = 0; k < n; k += B) {
        cuda::memcpy_async(&as[ty][tx], &a[row * n + k + tx], sizeof(float), bar);
        cuda::memcpy_async(&bs[ty][tx], &b[(k + ty) * n + col], sizeof(float), bar);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        for (int j = 0; j < B; ++j)
            sum += as[ty][j] * bs[j][tx];
        __syncthreads();
    }
    bar.arrive_and_wait();
    c[row * n + col] = sum * scale[tx];
}

// One thread copies for all.
// pipelinify: launch elected
//   sizes    tiles=0,1,2,3
//   block    32
//   a:       in [tiles * 64] random
//   out:     out [32]
//   tiles:   tiles
__global__ void elected(const int *__restrict__ a, int *__restrict__ out, int tiles)
{
    __shared__ alignas(16) int s[64];
    __shared__ block_barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        if (threadIdx.x == 0)
            cuda::memcpy_async(s, a + k * 64, cuda::aligned_size_t<16>(sizeof(s)), bar);
        bar.arrive_and_wait();
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
