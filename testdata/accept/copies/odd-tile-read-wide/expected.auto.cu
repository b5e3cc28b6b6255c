#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 32

// Rows of 33 numbers are read four at a time, by a lambda: the second stage begins
// where four numbers may be read, too.
// pipelinify: launch by_lambda
//   sizes    n=0,1,31,32,33,64,100
//   target   n=65536
//   block    T
//   let      T = 32
//   x:       in [n + 64] random
//   out:     out [T]
//   n:       n
__global__ void by_lambda(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    struct __align__(16) s_padded { float tile[T + 1]; };
    __shared__ s_padded s_stage[stages];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 3e16a2aa
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage].tile[t], &x[k_load + t], sizeof(float));
            if (t == 0)
                __pipeline_memcpy_async(&s_stage[load_stage].tile[T], &x[k_load + T],
                                        sizeof(float));
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto quad = [](const float *at) { return *reinterpret_cast<const float4 *>(at); };
        for (int j = 0; j < T; j += 4) {
            const float4 v = quad(s_stage[stage].tile + j);
            sum += v.x * v.y + v.z * v.w;
        }
        sum += s_stage[stage].tile[T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}

// The same, six calls down.
__device__ float4 quad_at(const float *at) { return *reinterpret_cast<const float4 *>(at); }
__device__ float4 quad_1(const float *at) { return quad_at(at); }
__device__ float4 quad_2(const float *at) { return quad_1(at); }
__device__ float4 quad_3(const float *at) { return quad_2(at); }
__device__ float4 quad_4(const float *at) { return quad_3(at); }
__device__ float4 quad_5(const float *at) { return quad_4(at); }

// pipelinify: launch by_helpers
//   sizes    n=0,1,31,32,33,64,100
//   target   n=65536
//   block    T
//   let      T = 32
//   x:       in [n + 64] random
//   out:     out [T]
//   n:       n
__global__ void by_helpers(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    struct __align__(16) s_padded2 { float tile[T + 1]; };
    __shared__ s_padded2 s_stage[stages];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source cc6c7cc5
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage].tile[t], &x[k_load + t], sizeof(float));
            if (t == 0)
                __pipeline_memcpy_async(&s_stage[load_stage].tile[T], &x[k_load + T],
                                        sizeof(float));
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; j += 4) {
            const float4 v = quad_5(s_stage[stage].tile + j);
            sum += v.x * v.y + v.z * v.w;
        }
        sum += s_stage[stage].tile[T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}

// A line of the cache for each stage: the attribute is spelled as the compilers' own
// headers do.
//
// pipelinify: launch by_line
//   sizes    n=0,1,31,32,33,64,100
//   target   n=65536
//   block    T
//   let      T = 32
//   x:       in [n + 64] random
//   out:     out [T]
//   n:       n
__global__ void by_line(const float *__restrict__ x, float *__restrict__ out, int n)
{
    constexpr int stages = 8;
    struct __align__(128) s_padded3 { __attribute__((__aligned__(128))) float tile[T + 1]; };
    __shared__ s_padded3 s_stage[stages];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source bcda9dd3
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage].tile[t], &x[k_load + t], sizeof(float));
            if (t == 0)
                __pipeline_memcpy_async(&s_stage[load_stage].tile[T], &x[k_load + T],
                                        sizeof(float));
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; j += 4) {
            const float4 v = quad_at(s_stage[stage].tile + j);
            sum += v.x * v.y + v.z * v.w;
        }
        sum += s_stage[stage].tile[T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}
