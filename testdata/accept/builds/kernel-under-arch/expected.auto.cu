// Kernels that have a body for some architectures only: the branch that is compiled is
// rewritten, the other one stays.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define ROWS 32

// The whole body hangs on the architecture.
// pipelinify: launch half_scores<64>
//   sizes    keys=0,1,31,32,33,96,130 queries=4
//   target   keys=65536 queries=1024
//   grid     queries
//   block    64
//   q:       in  [queries * 64] range(-1, 1)
//   k:       in  [keys * 64 + 1] range(-1, 1)
//   best:    out [queries * 64]
//   keys:    keys
template <int D>
__global__ void half_scores(const __half *__restrict__ q, const __half *__restrict__ k, float *__restrict__ best,
                            int keys)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 530
    __shared__ __half rows_stage[2][ROWS][D + 2];
    __shared__ __half query[D];
    const int d = threadIdx.x;
    query[d] = q[blockIdx.x * D + d];
    float high = -1e30f;

    // pipelinify: ldg, 2 stages, source 95b3bf5c
    int first = 0, first_tile = first, stage = 0;
    if (first < keys) {
        auto compute_tile = [&]() {
            if (d < ROWS && first_tile + d < keys) {
                float score = 0.f;
                for (int i = 0; i < D; ++i)
                    score += __half2float(query[i]) * __half2float(rows_stage[stage][d][i]);
                high = fmaxf(high, score);
            }
        };
        for (int r = 0; r < ROWS; ++r)
            rows_stage[0][r][d] = first + r < keys ? k[(first + r) * D + d] : __half(0.f);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += ROWS; first < keys; first += ROWS) {
            __half rows_next[ROWS];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                rows_next[r] = __half(0.f);
                if (first + r < keys)
                    rows_next[r] = k[(first + r) * D + d];
            }
            compute_tile();
            first_tile += ROWS;
            stage ^= 1;
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                rows_stage[stage][r][d] = rows_next[r];
            __syncthreads();
        }
        compute_tile();
    }
    best[blockIdx.x * D + d] = high;
#else
    __trap();
#endif
}

// One of two bodies; the other one has a tile of the same kind under another name.
// pipelinify: launch running_sums
//   sizes    n=0,1,127,128,129,300,1000
//   target   n=4000000
//   grid     3
//   block    128
//   x:       in  [n + 1] range(-1, 1)
//   y:       out [3 * 128]
//   n:       n
__global__ void running_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float total = 0.f;
#if defined(WITHOUT_SHARED_MEMORY)
    __shared__ float few[16];
    for (int i = 0; i < n; i += 16) {
        few[threadIdx.x & 15] = x[i];
        __syncthreads();
        total += few[0];
        __syncthreads();
    }
#elif 1
    constexpr int stages = 8;
    __shared__ float part_stage[stages][128];
    // pipelinify: cp.async, 8 stages, source 5746b6d4
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[i_load + threadIdx.x], sizeof(float),
                                    (i_load + threadIdx.x < n) ? 0 : sizeof(float));
            i_load += 128;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += 128) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j <= threadIdx.x; ++j)
            total += part_stage[stage][j];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
#endif
    y[blockIdx.x * 128 + threadIdx.x] = total;
}

void scores(const __half *q, const __half *k, float *best, int queries, int keys)
{
    half_scores<64><<<queries, 64>>>(q, k, best, keys);
}

// Three bodies, each with a tile of its own under the same name, and a look at it in one.
// pipelinify: launch falling_sums
//   sizes    n=0,1,127,128,129,300,1000
//   target   n=4000000
//   grid     2
//   block    128
//   x:       in  [n + 1] range(-1, 1)
//   y:       out [2 * 128]
//   n:       n
__global__ void falling_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float total = 0.f;
#if defined(WITHOUT_SHARED_MEMORY)
    __shared__ float part[16];
    part[threadIdx.x & 15] = 0.f;
    __syncthreads();
    for (int i = threadIdx.x; i < n; ++i)
        total += x[i] + part[i & 15];
#elif !defined(ONE_TILE)
    constexpr int stages = 8;
    __shared__ float part_stage[stages][128];
    // pipelinify: cp.async, 8 stages, source bac98b5b
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[i_load + threadIdx.x], sizeof(float),
                                    (i_load + threadIdx.x < n) ? 0 : sizeof(float));
            i_load += 128;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; i += 128) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = threadIdx.x; j < 128; ++j)
            total += part_stage[stage][j] * (blockIdx.x + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
#else
    __shared__ float part[128];
    part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.f;
    __syncthreads();
    for (int j = threadIdx.x; j < 128; ++j)
        total += part[j];
#endif
    y[blockIdx.x * 128 + threadIdx.x] = total;
}
