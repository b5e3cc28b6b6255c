// Kernels that have a body for some architectures only: the branch that is compiled is
// rewritten, the other one stays.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

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
    __shared__ float part_stage[2][128];
    // pipelinify: ldg, 2 stages, source 5746b6d4
    {
        int i = 0, stage = 0;
        if (i < n) {
            part_stage[0][threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (i += 128; i < n; i += 128) {
                float part_next = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
                for (int j = 0; j <= threadIdx.x; ++j)
                    total += part_stage[stage][j];
                stage ^= 1;
                part_stage[stage][threadIdx.x] = part_next;
                __syncthreads();
            }
            for (int j = 0; j <= threadIdx.x; ++j)
                total += part_stage[stage][j];
        }
    }
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
    __shared__ float part_stage[2][128];
    // pipelinify: ldg, 2 stages, source bac98b5b
    {
        int i = 0, stage = 0;
        if (i < n) {
            part_stage[0][threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (i += 128; i < n; i += 128) {
                float part_next = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
                for (int j = threadIdx.x; j < 128; ++j)
                    total += part_stage[stage][j] * (blockIdx.x + 1);
                stage ^= 1;
                part_stage[stage][threadIdx.x] = part_next;
                __syncthreads();
            }
            for (int j = threadIdx.x; j < 128; ++j)
                total += part_stage[stage][j] * (blockIdx.x + 1);
        }
    }
#else
    __shared__ float part[128];
    part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.f;
    __syncthreads();
    for (int j = threadIdx.x; j < 128; ++j)
        total += part[j];
#endif
    y[blockIdx.x * 128 + threadIdx.x] = total;
}
