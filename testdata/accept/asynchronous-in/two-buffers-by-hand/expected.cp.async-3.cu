// Loops that their authors have double-buffered, to be given more stages.
#include <cuda_pipeline.h>

#define TILE 16

// Through registers, with a variable that says which buffer, and a loop that begins at the
// second tile.
// pipelinify: launch product
//   sizes  n=16,32,48,160
//   grid   n / 16, n / 16
//   block  16, 16
//   A:     in  [n * n] random
//   B:     in  [n * n] random
//   C:     out [n * n]
//   n: n
__global__ void product(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int n)
{
    constexpr int stages = 3;
    __shared__ float As_stage[stages][TILE][TILE];
    __shared__ float Bs_stage[stages][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.f;
    __syncthreads();

    // pipelinify: cp.async, 3 stages, source b69786d8
    int k0_load = TILE, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load <= n) {
            __pipeline_memcpy_async(&As_stage[load_stage][ty][tx],
                                    &A[row * n + (k0_load - TILE) + tx], sizeof(float));
            __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx],
                                    &B[((k0_load - TILE) + ty) * n + col], sizeof(float));
            k0_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = TILE; k0 <= n; k0 += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < TILE; ++k)
            acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    C[row * n + col] = acc;
}

// By primitives; slots have names of their own.
// pipelinify: launch rows_by_primitives
//   sizes  n=0,1,2,3,7
//   block  64
//   a:     in  [n * 256 + 256] random
//   out:   out [64]
//   n: n
__global__ void rows_by_primitives(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float rows_stage[stages][256];
    const int t = threadIdx.x;
    float s = 0.f;
    // pipelinify: cp.async, 3 stages, source 204f00ac
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(reinterpret_cast<float4 *>(&rows_stage[load_stage][4 * t]),
                                    reinterpret_cast<const float4 *>(a + (k_load) * 256 + 4 * t),
                                    sizeof(float4));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 8; ++i)
            s += rows_stage[stage][(t * 3 + i * 31) % 256] * (k + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = s;
}

__device__ __forceinline__ void copy16(void *to, const void *from)
{
    const unsigned cell = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(cell), "l"(from));
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }

template <int LEFT>
__device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT) : "memory");
}

constexpr int stages_by_hand = 2;

// By assembly; one barrier an iteration, ahead of the copies, which are for two tiles and a
// row in several steps.
// pipelinify: launch dots_by_assembly
//   sizes  n=0,1,2,3,7
//   block  32
//   a:     in  [n * 512 + 512] random
//   b:     in  [n * 128 + 128] random
//   out:   out [32]
//   n: n
__global__ void dots_by_assembly(const float *__restrict__ a, const float *__restrict__ b,
                                 float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float as_stage[stages][512], bs_stage[stages][1][128];
    const int t = threadIdx.x;
    float s = 0.f;
    // pipelinify: cp.async, 3 stages, source fbf96b8d
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int i = t; i < 128; i += 32) {
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&as_stage[load_stage][4 * i]),
                    reinterpret_cast<const float4 *>(&a[512 * (k_load) + 4 * i]), sizeof(float4));
            }
            __pipeline_memcpy_async(reinterpret_cast<float4 *>(&bs_stage[load_stage][0][4 * t]),
                reinterpret_cast<const float4 *>(&b[(k_load - 1) * 128 + 128 + 4 * t]),
                sizeof(float4));
            k_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 4; ++i)
            s += as_stage[stage][t * 16 + i] * bs_stage[stage][0][(t + i * 9) % 128];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = s;
}

// The wait goes with the copies, and the last tile has one of its own.
// pipelinify: launch sums_by_branches<64>
//   sizes  n=0,1,2,3,7
//   block  64
//   a:     in  [n * 256 + 256] random
//   out:   out [64]
//   n: n
template <int T>
__global__ void sums_by_branches(const int *__restrict__ a, int *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) int cells_stage[stages][4 * T];
    int sum = 0;
    // pipelinify: cp.async, 3 stages, source 0c04cb7b
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(reinterpret_cast<int4 *>(&cells_stage[load_stage][4 *
                                                                                      threadIdx.x]),
                reinterpret_cast<const int4 *>(&a[(k_load) * 4 * T + 4 * threadIdx.x]),
                sizeof(int4));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 4; ++i)
            sum = 3 * sum + cells_stage[stage][(threadIdx.x * 5 + i * T) % (4 * T)];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

void run(const int *a, int *out, int n) { sums_by_branches<64><<<1, 64>>>(a, out, n); }

// pipelinify: launch first_by_its_place
//   sizes    n=1,2,3,8
//   target   n=512
//   grid     2
//   block    64
//   g:       in  [n * 64]
//   o:       out [2 * 64]
//   n:       n
__global__ void first_by_its_place(const float *__restrict__ g, float *__restrict__ o, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    float sum = 0.f;
    __syncthreads();
    // pipelinify: cp.async, 3 stages, source 894dba47
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &g[(t_load) * 64 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 64; ++i)
            sum += s_stage[stage][i] * (float)((i + threadIdx.x + blockIdx.x) % 9);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

#ifndef WIDTH
#define WIDTH 64
#endif

// pipelinify: launch with_its_lines
//   sizes    n=0,1,2,3,8
//   block    64
//   g:       in  [n * 64 + 64]
//   o:       out [64]
//   n:       n
__global__ void with_its_lines(const float *__restrict__ g, float *__restrict__ o, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][WIDTH];
    float sum = 0.f;
    __syncthreads();
    // pipelinify: cp.async, 3 stages, source e04fdca6
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &g[(t_load) * WIDTH + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        // Half of what came before, and all of the row.
        sum *= 0.5f;
        #pragma unroll 8
        for (int i = 0; i < WIDTH; ++i)
            sum += s_stage[stage][i] * (float)((i + threadIdx.x) % 9);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[threadIdx.x] = sum;
}
