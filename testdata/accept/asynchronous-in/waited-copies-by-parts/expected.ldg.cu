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
    __shared__ int room_stage[2][ROOM];
    auto all = cg::this_thread_block();
    int sum = 0;
    // pipelinify: ldg, 2 stages, source 29a29b69
    unsigned done = 0;
    unsigned int done_tile = done;
    if (done < n) {
        int stage = 0;
        for (int e = all.thread_rank(); e < ROOM; e += all.size()) if (e < (n - done))
            room_stage[0][e] = (in + done)[e];
        all.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (done += ROOM; done < n; done += ROOM) {
            int room_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = all.thread_rank() + slot * (all.size());
                if (e < ROOM) {
                    if (e < (n - done))
                        room_next[slot] = (in + done)[e];
                }
            }
            for (unsigned j = 0; j < ROOM && j < n - done_tile; ++j)
                sum += room_stage[stage][j] * (int)(j + threadIdx.x);
            done_tile += ROOM;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = all.thread_rank() + slot * (all.size());
                if (e < ROOM) {
                    if (e < (n - done))
                        room_stage[stage][e] = room_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int e = all.thread_rank() + 8 * (all.size()); e < ROOM; e += all.size())
                if (e < (n - done)) room_stage[stage][e] = (in + done)[e];
            all.sync();
        }
        for (unsigned j = 0; j < ROOM && j < n - done_tile; ++j)
            sum += room_stage[stage][j] * (int)(j + threadIdx.x);
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
    __shared__ __align__(16) float as_stage[2][B][B];
    __shared__ __align__(16) float bs_stage[2][B][B];
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    float sum = 0;
    // pipelinify: ldg, 2 stages, source a2373128
    int k = 0, stage = 0;
    if (k < n) {
        if (col < B) {
            float4 *const to_a = reinterpret_cast<float4 *>(&as_stage[0][ty][col]);
            float4 *const to_b = reinterpret_cast<float4 *>(&bs_stage[0][ty][col]);
            *to_a = *(reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k + col]));
            *to_b = *(reinterpret_cast<const float4 *>(&b[(k + ty) * n + col0 + col]));
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += B; k < n; k += B) {
            float4 as_next;
            float4 bs_next;
            if (col < B) {
                as_next = *(reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k + col]));
                bs_next = *(reinterpret_cast<const float4 *>(&b[(k + ty) * n + col0 + col]));
            }
            for (int j = 0; j < B; ++j)
                sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
            stage ^= 1;
            if (col < B) {
                float4 *const to_a = reinterpret_cast<float4 *>(&as_stage[stage][ty][col]);
                float4 *const to_b = reinterpret_cast<float4 *>(&bs_stage[stage][ty][col]);
                *to_a = as_next;
                *to_b = bs_next;
            }
            __syncthreads();
        }
        for (int j = 0; j < B; ++j)
            sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
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
    __shared__ __align__(16) float as_stage[2][B][B];
    __shared__ __align__(16) float bs_stage[2][B][B];
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    if (tx == 0 && ty == 0)
        init(&met, blockDim.x * blockDim.y);
    __syncthreads();
    float sum = 0;
    // pipelinify: ldg, 2 stages, source e774b0ec
    int k = 0, stage = 0;
    if (k < n) {
        if (col < B) {
            *reinterpret_cast<float4 *>(&as_stage[0][ty][col]) =
                *reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k + col]);
            *reinterpret_cast<float4 *>(&bs_stage[0][ty][col]) =
                *reinterpret_cast<const float4 *>(&b[(k + ty) * n + col0 + col]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += B; k < n; k += B) {
            float4 as_next;
            float4 bs_next;
            if (col < B) {
                as_next = *reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k + col]);
                bs_next = *reinterpret_cast<const float4 *>(&b[(k + ty) * n + col0 + col]);
            }
            for (int j = 0; j < B; ++j)
                sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
            stage ^= 1;
            if (col < B) {
                *reinterpret_cast<float4 *>(&as_stage[stage][ty][col]) = as_next;
                *reinterpret_cast<float4 *>(&bs_stage[stage][ty][col]) = bs_next;
            }
            __syncthreads();
        }
        for (int j = 0; j < B; ++j)
            sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
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
    __shared__ __align__(16) float s_stage[2][8][64];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 77afcda0
    int k = 0, stage = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            auto &s = s_stage[stage];
            for (int j = 0; j < 8; ++j)
                sum += s[j][threadIdx.x] * (j + 1);
        };
        {
            auto &s = s_stage[0];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int at = (threadIdx.x + 64 * i) * 4;
                *reinterpret_cast<float4 *>(reinterpret_cast<char *>(s) + (at * 4)) =
                    *reinterpret_cast<const float4 *>(a + k * 512 + at);
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float4 s_next[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int at = (threadIdx.x + 64 * i) * 4;
                s_next[i] = *reinterpret_cast<const float4 *>(a + k * 512 + at);
            }
            compute_tile();
            stage ^= 1;
            {
                auto &s = s_stage[stage];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const int at = (threadIdx.x + 64 * i) * 4;
                    *reinterpret_cast<float4 *>(reinterpret_cast<char *>(s) + (at * 4)) = s_next[i];
                }
            }
            __syncthreads();
        }
        compute_tile();
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
    __shared__ float s_stage[2][64];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 8ccd13bd
    int k = 0, stage = 0;
    if (k < tiles) {
        {
            const float *from = a + k * 64 + threadIdx.x;
            s_stage[0][threadIdx.x] = *from;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next;
            {
                const float *from = a + k * 64 + threadIdx.x;
                s_next = *from;
            }
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
            stage ^= 1;
            {
                s_stage[stage][threadIdx.x] = s_next;
            }
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
    }
    out[threadIdx.x] = sum;
}
