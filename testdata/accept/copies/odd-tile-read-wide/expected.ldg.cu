#include <cuda_runtime.h>

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
    struct __align__(16) s_padded { float tile[T + 1]; };
    __shared__ s_padded s_stage[2];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 3e16a2aa
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto quad = [](const float *at) { return *reinterpret_cast<const float4 *>(at); };
            for (int j = 0; j < T; j += 4) {
                const float4 v = quad(s_stage[stage].tile + j);
                sum += v.x * v.y + v.z * v.w;
            }
            sum += s_stage[stage].tile[T];
        };
        s_stage[0].tile[t] = x[k + t];
        if (t == 0)
            s_stage[0].tile[T] = x[k + T];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float s_next2;
            float s_next = x[k + t];
            if (t == 0)
                s_next2 = x[k + T];
            compute_tile();
            stage ^= 1;
            s_stage[stage].tile[t] = s_next;
            if (t == 0)
                s_stage[stage].tile[T] = s_next2;
            __syncthreads();
        }
        compute_tile();
    }
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
    struct __align__(16) s_padded2 { float tile[T + 1]; };
    __shared__ s_padded2 s_stage[2];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source cc6c7cc5
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            for (int j = 0; j < T; j += 4) {
                const float4 v = quad_5(s_stage[stage].tile + j);
                sum += v.x * v.y + v.z * v.w;
            }
            sum += s_stage[stage].tile[T];
        };
        s_stage[0].tile[t] = x[k + t];
        if (t == 0)
            s_stage[0].tile[T] = x[k + T];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float s_next2;
            float s_next = x[k + t];
            if (t == 0)
                s_next2 = x[k + T];
            compute_tile();
            stage ^= 1;
            s_stage[stage].tile[t] = s_next;
            if (t == 0)
                s_stage[stage].tile[T] = s_next2;
            __syncthreads();
        }
        compute_tile();
    }
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
    struct __align__(128) s_padded3 { __attribute__((__aligned__(128))) float tile[T + 1]; };
    __shared__ s_padded3 s_stage[2];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source bcda9dd3
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            for (int j = 0; j < T; j += 4) {
                const float4 v = quad_at(s_stage[stage].tile + j);
                sum += v.x * v.y + v.z * v.w;
            }
            sum += s_stage[stage].tile[T];
        };
        s_stage[0].tile[t] = x[k + t];
        if (t == 0)
            s_stage[0].tile[T] = x[k + T];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float s_next2;
            float s_next = x[k + t];
            if (t == 0)
                s_next2 = x[k + T];
            compute_tile();
            stage ^= 1;
            s_stage[stage].tile[t] = s_next;
            if (t == 0)
                s_stage[stage].tile[T] = s_next2;
            __syncthreads();
        }
        compute_tile();
    }
    out[t] = sum;
}
