// What the loop does for a tile stands in functions, with the barriers.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define SPAN 64

// The whole of it; behind the last tile nobody needs to wait.
__device__ __forceinline__ void take_span(const float *from, float *span, float *sum, int at, int end)
{
    span[threadIdx.x] = from[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
        *sum = *sum * 0.5f + span[i] * (i ^ threadIdx.x);
    if (at + SPAN < end)
        __syncthreads();
}

// pipelinify: launch in_one
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     2
//   block    64
//   x:       in  [2 * n] random
//   y:       out [2 * 64]
//   n:       n
__global__ void in_one(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float span_stage[stages][SPAN];
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source 868c6075
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x], &(x + blockIdx.x * n)[at_load + threadIdx.x],
                                    sizeof(float));
            at_load += SPAN;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at += SPAN) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < SPAN; ++i)
            sum = sum * 0.5f + span_stage[stage][i] * (i ^ threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// What it comes to is handed back, as a double; the loop's counter has the name of the
// function's own.
__device__ double weighed(const float *from, int count, unsigned char narrow)
{
    __shared__ float span[SPAN];
    const int i = threadIdx.x;
    span[i] = i < count ? from[i] : 0.f;
    __syncthreads();
    float sum = 0.f;
    count *= 2;
    for (int k = 0; k < SPAN; ++k)
        sum = sum * 0.5f + span[k] * (narrow ^ count);
    __syncthreads();
    return sum;
}

// pipelinify: launch handed_back
//   sizes    n=0,1,63,64,65,200,320
//   target   n=65536
//   block    64
//   x:       in  [n + 64] random
//   y:       out [64]
//   n:       n
__global__ void handed_back(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float sum = 0;
    // pipelinify: cp.async, 3 stages, source b4386743
    {
        __shared__ float span_stage[3][SPAN];
        int i_load = 0, k_load = 300, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < n) {
                int count = min(SPAN, n - i_load);
                const int i_weighed = threadIdx.x;
                __pipeline_memcpy_async(&span_stage[load_stage][i_weighed], &(x + i_load)[i_weighed], sizeof(float),
                                        (i_weighed < count) ? 0 : sizeof(float));
                i_load += SPAN, k_load += 100;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 2; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 2 tiles are in flight while computing on one.
        for (int i = 0, k = 300; i < n; i += SPAN, k += 100) {
            __pipeline_wait_prior(1);
            __syncthreads();
            copy_tile(stage == 0 ? 2 : stage - 1);
            int count = min(SPAN, n - i);
            float sum_weighed = 0.f;
            count *= 2;
            for (int k_weighed = 0; k_weighed < SPAN; ++k_weighed)
                sum_weighed = sum_weighed * 0.5f + span_stage[stage][k_weighed] * (((unsigned char)(k)) ^ count);
            sum += (double)(sum_weighed);
            stage = stage == 2 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
    }
    y[threadIdx.x] = sum;
}

// One function fetches and waits, another one uses and waits; each has helpers.
__device__ float2 twice(float v) { return make_float2(v, v * 0.5f); }

__device__ void fetch(const float *&next, float2 *pairs)
{
    pairs[threadIdx.x] = twice(*next);
    next += SPAN;
    __syncthreads();
}

__device__ void settle(float &sum, bool more)
{
    sum *= 0.75f;
    if (more) {
        __syncthreads();
    }
}

__device__ void use(const float2 *pairs, float &sum, int left)
{
#pragma unroll 4
    for (int i = 0; i < SPAN; ++i)
        sum += pairs[i].x * pairs[i ^ threadIdx.x].y;
    settle(sum, left > 1);
}

// pipelinify: launch in_parts
//   sizes    spans=0,1,2,3,7
//   target   spans=1000
//   grid     3
//   block    64
//   x:       in  [spans * 64 + 64] random
//   y:       out [3 * 64]
//   spans:   spans
__global__ void in_parts(const float *__restrict__ x, float *__restrict__ y, int spans)
{
    __shared__ float2 pairs[SPAN];
    const float *next = x + threadIdx.x;
    float sum = blockIdx.x;
    for (int left = spans; left > 0; --left) {
        fetch(next, pairs);
        use(pairs, sum, left);
    }
    y[blockIdx.x * SPAN + threadIdx.x] = sum;
}
