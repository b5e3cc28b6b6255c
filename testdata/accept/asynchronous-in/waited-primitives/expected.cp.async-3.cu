#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define T 128

// pipelinify: launch single
//   sizes    n=0,128,256,640
//   block    128
//   a:       in [n] random
//   out:     out [128]
//   n:       n
__global__ void single(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ alignas(16) float sa_stage[stages][T];
    float acc = 0;
    // pipelinify: cp.async, 3 stages, source 00556707
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&sa_stage[load_stage][threadIdx.x], &a[i_load + threadIdx.x], sizeof(float));
            i_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
            acc += sa_stage[stage][(threadIdx.x + j) % T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

// Elements of any 4 or 8 bytes.
// pipelinify: launch typed<int>
//   sizes    n=0,64,192
//   block    64
//   a:       in [n] random
//   out:     out [64]
//   n:       n
// pipelinify: launch typed<double>
//   sizes    n=0,64,320
//   block    64
//   a:       in [n] random
//   out:     out [64]
//   n:       n
template <typename E>
__global__ void typed(const E *__restrict__ a, E *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ E s_stage[stages][64];
    E acc = 0;
    // pipelinify: cp.async, 3 stages, source f6dead20
    static_assert(__is_trivially_copyable(E) && !__is_same(E, volatile E), "E must be plain data and not volatile");
    static_assert(__is_trivially_copyable(E) && (sizeof(E) == 4 || sizeof(E) == 8 || sizeof(E) == 16) &&
                  alignof(E) == sizeof(E),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    const E *p_load = a;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < a + n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &p_load[threadIdx.x], sizeof(E));
            p_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (const E *p = a; p < a + n; p += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            acc += s_stage[stage][(threadIdx.x + j) % 64] * (E)(j + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

// A matrix whose ends no tile fits: zeros are copied beyond them.
// pipelinify: launch ragged
//   sizes    m=8,24,20 k=16,32,40,44
//   grid     (m + 15) / 16
//   block    64
//   a:       in [m * k] random
//   x:       in [k] random
//   y:       out [m * 4]
//   m:       m
//   k:       k
__global__ void ragged(const float *__restrict__ a, const float *__restrict__ x,
                       float *__restrict__ y, int m, int k)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float as_stage[stages][16][16];
    __shared__ float xs_stage[stages][16];
    const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4, row = blockIdx.x * 16 + r;
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source 56d54c78
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            auto &k0 = k0_load;
            const bool there = row < m && k0 + c < k;
            if (there)
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&as_stage[load_stage][r][c]),
                                        reinterpret_cast<const float4 *>(&a[there ? row * k + k0 + c : 0]), sizeof(float4));
            else
                *reinterpret_cast<float4 *>(&as_stage[load_stage][r][c]) = make_float4(0, 0, 0, 0);
            if (threadIdx.x < 16) {
                if (k0 + threadIdx.x < k)
                    __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[k0 + threadIdx.x < k ? k0 + threadIdx.x : 0],
                                            sizeof(float));
                else
                    xs_stage[load_stage][threadIdx.x] = 0;
            }
            k0 += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 4; ++j)
            sum += as_stage[stage][r][4 * (threadIdx.x % 4) + j] * xs_stage[stage][4 * (threadIdx.x % 4) + j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (row < m)
        y[row * 4 + threadIdx.x % 4] = sum;
}

// Halves and bytes, 16 at a time, by loops of as many rounds as it takes.
// pipelinify: launch narrow
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 1024] random
//   b:       in [tiles * 1024] random
//   out:     out [64]
//   tiles:   tiles
__global__ void narrow(const __half *__restrict__ a, const signed char *__restrict__ b,
                       float *__restrict__ out, int tiles)
{
    constexpr int stages = 3;
    __shared__ __align__(16) __half sa_stage[stages][16][64];
    __shared__ __align__(16) signed char sb_stage[stages][1024];
    float acc = 0;
    // pipelinify: cp.async, 3 stages, source 4608b4da
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int i = threadIdx.x; i < 128; i += 64) {
                __pipeline_memcpy_async(reinterpret_cast<uint4 *>(&sa_stage[load_stage][i / 8][i % 8 * 8]),
                                        reinterpret_cast<const uint4 *>(&a[k_load * 1024 + i * 8]), sizeof(uint4));
            }
            __pipeline_memcpy_async(reinterpret_cast<uint4 *>(sb_stage[load_stage] + threadIdx.x * 16),
                                    reinterpret_cast<const uint4 *>(b + k_load * 1024 + threadIdx.x * 16), sizeof(uint4));
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
        for (int j = 0; j < 16; ++j)
            acc += __half2float(sa_stage[stage][j][threadIdx.x]) * (float)sb_stage[stage][threadIdx.x * 16 + j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

// A loop of loops, each of which copies for itself; the inner one is rewritten.
// pipelinify: launch in_rounds
//   sizes    tiles=0,1,2,3 rounds=1,3
//   block    64
//   a:       in [rounds * tiles * 64] random
//   w:       in [rounds * 64] random
//   out:     out [64]
//   tiles:   tiles
//   rounds:  rounds
__global__ void in_rounds(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int tiles, int rounds)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64], r[64];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        __pipeline_memcpy_async(&r[t], &w[i * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // pipelinify: cp.async, 3 stages, source 96ca56b7
        int k_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < tiles) {
                __pipeline_memcpy_async(&s_stage[load_stage][t], &a[(i * tiles + k_load) * 64 + t], sizeof(float));
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
            for (int j = 0; j < 64; ++j) sum += s_stage[stage][(t + j) % 64] * r[j];
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    out[t] = sum;
}
