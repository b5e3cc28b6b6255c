// Copies that some threads make, of rests, through names and numbers for places.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
#define ROOM 96

// As many elements as are left, of a number that no tile divides.
// pipelinify: launch rests
//   sizes    n=0,1,96,97,250
//   block    64
//   in:      in [n] random
//   out:     out [64]
//   n:       n
__global__ void rests(const int *__restrict__ in, int *__restrict__ out, unsigned n)
{
    __shared__ int room[ROOM];
    auto all = cg::this_thread_block();
    int sum = 0;
    for (unsigned done = 0; done < n; done += ROOM) {
        cg::memcpy_async(all, room, ROOM, in + done, n - done);
        cg::wait(all);
        for (unsigned j = 0; j < ROOM && j < n - done; ++j)
            sum += room[j] * (int)(j + threadIdx.x);
        all.sync();
    }
    out[threadIdx.x] = sum;
}

// Two tiles in one block of memory, whose size the launch decides.
// pipelinify: launch in_halves
//   sizes    sets=0,1,2,3
//   block    64
//   smem     512
//   out:     out [64]
//   x:       in [sets * 64] random
//   y:       in [sets * 64] random
//   sets:    sets
__global__ void in_halves(int *__restrict__ out, const int *__restrict__ x,
                          const int *__restrict__ y, size_t sets)
{
    extern __shared__ int memory[];
    auto all = cg::this_thread_block();
    int *xs = memory, *ys = xs + all.size();
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    if (all.thread_rank() == 0)
        init(&met, all.size());
    all.sync();
    int sum = 0;
    for (size_t i = 0; i < sets; ++i) {
        cuda::memcpy_async(all, xs, &x[i * all.size()], sizeof(int) * all.size(), met);
        cuda::memcpy_async(all, ys, &y[i * all.size()], sizeof(int) * all.size(), met);
        met.arrive_and_wait();
        for (int j = 0; j < all.size(); ++j)
            sum += xs[j] * ys[(j + threadIdx.x) % all.size()];
        met.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}

// A quarter of the threads copies vectors: by a pipeline that the others leave alone, and
// by a barrier of all.
// pipelinify: launch by_quarters<16>
//   sizes    n=16,32,80
//   grid     n/16, n/16
//   block    16,16
//   c:       out [n * n]
//   a:       in [n * n] random
//   b:       in [n * n] random
//   n:       n
template <int B>
__global__ void by_quarters(float *__restrict__ c, const float *__restrict__ a,
                            const float *__restrict__ b, int n)
{
    __shared__ __align__(16) float as[B][B];
    __shared__ __align__(16) float bs[B][B];
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    float sum = 0;
    for (int k = 0; k < n; k += B) {
        if (col < B) {
            float4 *const to_a = reinterpret_cast<float4 *>(&as[ty][col]);
            float4 *const to_b = reinterpret_cast<float4 *>(&bs[ty][col]);
            own.producer_acquire();
            cuda::memcpy_async(to_a, reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k + col]),
                               cuda::aligned_size_t<alignof(float4)>(sizeof(float4)), own);
            cuda::memcpy_async(to_b, reinterpret_cast<const float4 *>(&b[(k + ty) * n + col0 + col]),
                               cuda::aligned_size_t<alignof(float4)>(sizeof(float4)), own);
            own.producer_commit();
            own.consumer_wait();
        }
        __syncthreads();
        for (int j = 0; j < B; ++j)
            sum += as[ty][j] * bs[j][tx];
        own.consumer_release();
        __syncthreads();
    }
    c[(row0 + ty) * n + col0 + tx] = sum;
}

// pipelinify: launch quarters_meet<16>
//   sizes    n=16,32,80
//   grid     n/16, n/16
//   block    16,16
//   c:       out [n * n]
//   a:       in [n * n] random
//   b:       in [n * n] random
//   n:       n
template <int B>
__global__ void quarters_meet(float *__restrict__ c, const float *__restrict__ a,
                              const float *__restrict__ b, int n)
{
    __shared__ __align__(16) float as[B][B];
    __shared__ __align__(16) float bs[B][B];
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    if (tx == 0 && ty == 0)
        init(&met, blockDim.x * blockDim.y);
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k += B) {
        if (col < B) {
            cuda::memcpy_async(&as[ty][col], &a[(row0 + ty) * n + k + col],
                               cuda::aligned_size_t<16>(16), met);
            cuda::memcpy_async(&bs[ty][col], &b[(k + ty) * n + col0 + col],
                               cuda::aligned_size_t<16>(16), met);
        }
        met.arrive_and_wait();
        for (int j = 0; j < B; ++j)
            sum += as[ty][j] * bs[j][tx];
        met.arrive_and_wait();
    }
    c[(row0 + ty) * n + col0 + tx] = sum;
}

// Places as numbers, counted from where the tile begins.
// pipelinify: launch from_begin
//   sizes    tiles=0,1,2,5
//   block    64
//   a:       in [tiles * 512] random
//   out:     out [64]
//   tiles:   tiles
__global__ void from_begin(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ __align__(16) float s[8][64];
    const unsigned begin = static_cast<unsigned>(__cvta_generic_to_shared(s));
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int at = (threadIdx.x + 64 * i) * 4;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(begin + at * 4),
                         "l"(a + k * 512 + at));
        }
        asm volatile("cp.async.commit_group;\n" ::);
        asm volatile("cp.async.wait_group 0;\n" ::);
        __syncthreads();
        for (int j = 0; j < 8; ++j)
            sum += s[j][threadIdx.x] * (j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch in_a_block
//   sizes    tiles=0,1,2,5
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void in_a_block(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
        {
            unsigned to = __cvta_generic_to_shared(s + threadIdx.x);
            const float *from = a + k * 64 + threadIdx.x;
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(4)
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[(threadIdx.x + j) % 64] * (j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
