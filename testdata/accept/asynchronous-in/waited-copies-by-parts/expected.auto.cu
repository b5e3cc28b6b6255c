// Copies that some threads make, of rests, through names and numbers for places.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ __align__(16) int room_stage[stages][ROOM];
    auto all = cg::this_thread_block();
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source 29a29b69
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = ROOM % 4 == 0 && (size_t)in % 16 == 0;
    unsigned done_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (done_load < n) {
            if (joined) {
                for (int e = 4 * (all.thread_rank()); e < ROOM; e += 4 * (all.size())) {
                    if (e < (n - done_load) && (n - done_load) - e > 3) {
                        __pipeline_memcpy_async(&room_stage[load_stage][e], &(in + done_load)[e], 16);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            if (e + each < (n - done_load))
                                (&room_stage[load_stage][e])[each] = (&(in + done_load)[e])[each];
                        }
                    }
                }
            } else {
                for (int e = all.thread_rank(); e < ROOM; e += all.size()) {
                    if (e < (n - done_load))
                        __pipeline_memcpy_async(&room_stage[load_stage][e], &(in + done_load)[e], sizeof(int));
                }
            }
            done_load += ROOM;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned done = 0; done < n; done += ROOM) {
        __pipeline_wait_prior(stages - 2);
        all.sync();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned j = 0; j < ROOM && j < n - done; ++j)
            sum += room_stage[stage][j] * (int)(j + threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    // pipelinify: ldg-single, 1 stage, source f5d01f57
    size_t i = 0;
    if (i < sets) {
        xs[all.thread_rank()] = (x + (i * all.size()))[all.thread_rank()];
        ys[all.thread_rank()] = (y + (i * all.size()))[all.thread_rank()];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < sets; ++i) {
            int xs_next = (x + (i * all.size()))[all.thread_rank()];
            int ys_next = (y + (i * all.size()))[all.thread_rank()];
            for (int j = 0; j < all.size(); ++j)
                sum += xs[j] * ys[(j + threadIdx.x) % all.size()];
            __syncthreads();
            xs[all.thread_rank()] = xs_next;
            ys[all.thread_rank()] = ys_next;
            __syncthreads();
        }
        for (int j = 0; j < all.size(); ++j)
            sum += xs[j] * ys[(j + threadIdx.x) % all.size()];
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
    constexpr int stages = 3;
    __shared__ __align__(16) float as_stage[stages][B][B];
    __shared__ __align__(16) float bs_stage[stages][B][B];
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source a2373128
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (col < B) {
                float4 *const to_a = reinterpret_cast<float4 *>(&as_stage[load_stage][ty][col]);
                float4 *const to_b = reinterpret_cast<float4 *>(&bs_stage[load_stage][ty][col]);
                __pipeline_memcpy_async(to_a, (reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k_load + col])),
                                        sizeof(float4));
                __pipeline_memcpy_async(to_b, (reinterpret_cast<const float4 *>(&b[(k_load + ty) * n + col0 + col])),
                                        sizeof(float4));
            }
            k_load += B;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += B) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < B; ++j)
            sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ __align__(16) float as_stage[stages][B][B];
    __shared__ __align__(16) float bs_stage[stages][B][B];
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    const int tx = threadIdx.x, ty = threadIdx.y, col = 4 * tx;
    const int row0 = blockIdx.y * B, col0 = blockIdx.x * B;
    if (tx == 0 && ty == 0)
        init(&met, blockDim.x * blockDim.y);
    __syncthreads();
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source e774b0ec
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (col < B) {
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&as_stage[load_stage][ty][col]),
                                        reinterpret_cast<const float4 *>(&a[(row0 + ty) * n + k_load + col]),
                                        sizeof(float4));
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&bs_stage[load_stage][ty][col]),
                                        reinterpret_cast<const float4 *>(&b[(k_load + ty) * n + col0 + col]),
                                        sizeof(float4));
            }
            k_load += B;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += B) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < B; ++j)
            sum += as_stage[stage][ty][j] * bs_stage[stage][j][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 8;
    __shared__ __align__(16) float s_stage[stages][8][64];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 77afcda0
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            auto &s = s_stage[load_stage];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int at = (threadIdx.x + 64 * i) * 4;
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(reinterpret_cast<char *>(s) + (at * 4)),
                                        reinterpret_cast<const float4 *>(a + k_load * 512 + at), sizeof(float4));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &s = s_stage[stage];
        for (int j = 0; j < 8; ++j)
            sum += s[j][threadIdx.x] * (j + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 4;
    __shared__ float s_stage[stages][64];
    float sum = 0;
    // pipelinify: cp.async, 4 stages, source 8ccd13bd
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            {
                const float *from = a + k_load * 64 + threadIdx.x;
                __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], from, sizeof(float));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][(threadIdx.x + j) % 64] * (j + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
