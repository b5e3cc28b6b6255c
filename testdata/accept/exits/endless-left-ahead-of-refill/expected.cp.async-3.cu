// Endless loops that use a tile, leave, and else fill it anew: the first tile is loaded ahead of
// the loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch dot_rows
//   sizes    n=64,128,192,320
//   target   n=16384
//   grid     2
//   block    64
//   a:       in  [128 * n] random
//   x:       in  [n] random
//   y:       out [128]
//   n:       n
__global__ void dot_rows(const float *__restrict__ a, const float *__restrict__ x,
                         float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][64];
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = a + (size_t)r * n;
    float sum = 0.f;
    int base = 0;

    xs_stage[2][threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    #pragma unroll 8
    for (int i = 0; i < 64; ++i) // the tile's share
        sum += row[base + i] * xs_stage[2][i];
    base += 64;
    // pipelinify: cp.async, 3 stages, source 16d400fe
    int base_load = base, stage = 0;
    if (base_load < n) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[base_load + threadIdx.x],
                                    sizeof(float));
            base_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (base < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        #pragma unroll 8
        for (int i = 0; i < 64; ++i) // the tile's share
            sum += row[base + i] * xs_stage[stage][i];
        base += 64;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[r] = sum;
}

// What is declared in the first half is the first half's own.
// pipelinify: launch until_done
//   sizes    n=1,63,64,65,200,256
//   target   n=16384
//   grid     1
//   block    64
//   w:       in  [n + 64] random
//   v:       in  [64] random
//   out:     out [64]
//   n:       n
__global__ void until_done(const float *__restrict__ w, const float *__restrict__ v,
                           float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    int at = 0;
    float acc = 0.f;
    s_stage[2][threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    // Until the weights run out.
    {
        const float scale = v[threadIdx.x]; // the thread's own
        for (int i = 0; i < 64 && at + i < n; ++i)
            acc += scale * s_stage[2][(i + threadIdx.x) % 64];
        at += 64;
    }
    // pipelinify: cp.async, 3 stages, source 9cbbd504
    int at_load = at, stage = 0;
    if (at_load < n) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &w[at_load + threadIdx.x],
                                    sizeof(float));
            at_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (at < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const float scale = v[threadIdx.x]; // the thread's own
        for (int i = 0; i < 64 && at + i < n; ++i)
            acc += scale * s_stage[stage][(i + threadIdx.x) % 64];
        at += 64;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

// The header declares the counter, and the exit asks whether the sums are large enough.
// pipelinify: launch while_small
//   sizes    n=1,2,3,7
//   target   n=4096
//   grid     2
//   block    32
//   rows:    in  [32 * n] random
//   out:     out [64]
//   n:       n
__global__ void while_small(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[32];
    float best = -1e30f;
    row[threadIdx.x] = rows[threadIdx.x];
    __syncthreads();
    for (int k = 1;;) {
        for (int i = 0; i < 32; ++i) {
            if (row[i] > 2.f)
                continue;
            best = fmaxf(best, row[i] * (threadIdx.x ^ i));
        }
        if (k == n)
            break;
        __syncthreads();
        row[threadIdx.x] = rows[k * 32 + threadIdx.x];
        ++k;
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = best;
}

// Two steps follow the exit, and nothing else.
// pipelinify: launch steps_behind
//   sizes    n=1,63,64,65,128,200,256
//   target   n=16384
//   grid     2
//   block    64
//   x:       in  [n + 64] random
//   y:       out [128]
//   n:       n
__global__ void steps_behind(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    float sum = 0.f;
    int k0 = 0, rounds = 0;
    s_stage[2][threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
        sum += s_stage[2][j];
    __syncthreads();
    // pipelinify: cp.async, 3 stages, source ad24899f
    int k0_load = k0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load + 64 < n) {
            k0_load += 64;
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[k0_load + threadIdx.x],
                                    sizeof(float));
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (k0 + 64 < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        k0 += 64;
        ++rounds;
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + threadIdx.x] = sum + k0 + rounds;
}
