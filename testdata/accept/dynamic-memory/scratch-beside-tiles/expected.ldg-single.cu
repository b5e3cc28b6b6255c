// Tiles and scratch that compute writes, carved out of one piece of shared memory in many ways.
#include <cuda_runtime.h>

// The second operand comes in the compute phase, in the place of the first.
// pipelinify: launch values_through_keys
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   smem     512
//   x:       in  [n * 64]
//   v:       in  [n * 64]
//   out:     out [64]
//   n:       n
__global__ void values_through_keys(const float *__restrict__ x, const float *__restrict__ v, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *kv = sm, *s = sm + 64;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 1643607c
    int k = 0, k_tile = k;
    if (k < n) {
        __syncthreads();
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++) d += kv[i] * (i ^ threadIdx.x);
            s[threadIdx.x] = d;
            __syncthreads();
            kv[threadIdx.x] = v[k_tile * 64 + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += kv[i] * s[i];
        };
        kv[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float kv_next = x[k * 64 + threadIdx.x];
            compute_tile();
            k_tile++;
            __syncthreads();
            kv[threadIdx.x] = kv_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = acc;
}

__device__ void fill(float *to, const float *__restrict__ from, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

__device__ auto fill_fetch(const float *__restrict__ from, int n)
{
    struct {
        float to_next[8];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < n)
            next.to_next[slot] = from[i];
    }
    return next;
}

template <typename Registers>
__device__ void fill_store(float *to, const float *__restrict__ from, int n, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 8; ++slot) {
        int i = threadIdx.x + slot * blockDim.x;
        if (i < n)
            to[i] = next.to_next[slot];
    }
    // What has not been fetched ahead.
    for (int i = threadIdx.x + 8 * blockDim.x; i < n; i += blockDim.x)
        to[i] = from[i];
}
// pipelinify: launch by_helper
//   sizes    n=0,1,2,3,5 w=32,64,100
//   target   n=4096 w=64
//   block    64
//   smem     4 * (2 * w + 64)
//   x:       in  [n * w]
//   v:       in  [n * w]
//   out:     out [64]
//   n:       n
//   w:       w
__global__ void by_helper(const float *__restrict__ x, const float *__restrict__ v, float *__restrict__ out, int n, int w)
{
    extern __shared__ float sm[];
    float *a = sm, *b = a + w, *s = b + w;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 9667abc7
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < w; i++) d += a[i] * b[w - 1 - i] * (i ^ threadIdx.x);
            s[threadIdx.x] = d;
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += s[i];
        };
        fill(a, x + k * w, w);
        fill(b, v + k * w, w);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            auto fill_next = fill_fetch(x + k * w, w);
            auto fill_next2 = fill_fetch(v + k * w, w);
            compute_tile();
            __syncthreads();
            fill_store(a, x + k * w, w, fill_next);
            fill_store(b, v + k * w, w, fill_next2);
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// A guard leaves cells as compute has changed them.
// pipelinify: launch faded
//   sizes    n=0,1,40,64,65,128,150,200
//   target   n=131072
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   n:       n
__global__ void faded(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float t[64];
    float acc = 0;
    t[threadIdx.x] = 1;
    // pipelinify: ldg-single, 1 stage, source 16b4dd8e
    int k = 0;
    if (k < n) {
        if (k + threadIdx.x < n) t[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float t_next;
            if (k + threadIdx.x < n)
                t_next = x[k + threadIdx.x];
            for (int i = 0; i < 64; i++) acc += t[i] * (i ^ threadIdx.x);
            __syncthreads();
            t[63 - threadIdx.x] *= 0.5f;
            __syncthreads();
            if (k + threadIdx.x < n)
                t[threadIdx.x] = t_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; i++) acc += t[i] * (i ^ threadIdx.x);
        __syncthreads();
        t[63 - threadIdx.x] *= 0.5f;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// Scratch is set anew beside the loads.
// pipelinify: launch histograms
//   sizes    n=0,1,2,3,5
//   target   n=1024
//   block    64
//   x:       in  [n * 64] below(64)
//   out:     out [64]
//   n:       n
__global__ void histograms(const int *__restrict__ x, int *__restrict__ out, int n)
{
    __shared__ struct { int t[64]; int hist[64]; } sm;
    int acc = 0;
    // pipelinify: ldg-single, 1 stage, source dd35dea3
    int k = 0;
    if (k < n) {
        sm.t[threadIdx.x] = x[k * 64 + threadIdx.x];
        sm.hist[threadIdx.x] = k;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            int t_next = x[k * 64 + threadIdx.x];
            atomicAdd(&sm.hist[sm.t[63 - threadIdx.x]], 1);
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += sm.hist[i] * (i ^ (int)threadIdx.x);
            __syncthreads();
            sm.t[threadIdx.x] = t_next;
            sm.hist[threadIdx.x] = k;
            __syncthreads();
        }
        atomicAdd(&sm.hist[sm.t[63 - threadIdx.x]], 1);
        __syncthreads();
        for (int i = 0; i < 64; i++) acc += sm.hist[i] * (i ^ (int)threadIdx.x);
    }
    out[threadIdx.x] = acc;
}

// Two loops, in which tile and scratch change places.
// pipelinify: launch changing_places
//   sizes    n=0,1,2,3,5
//   target   n=2048
//   block    64
//   smem     512
//   x:       in  [n * 64]
//   out:     out [64]
//   n:       n
__global__ void changing_places(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 64;
    float acc = 0, top = 0;
    // pipelinify: ldg-single, 1 stage, source 1623af31
    {
        int k = 0;
        if (k < n) {
            t[threadIdx.x] = x[k * 64 + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k++; k < n; k++) {
                float t_next = x[k * 64 + threadIdx.x];
                s[threadIdx.x] = t[threadIdx.x ^ 1] + 1;
                __syncthreads();
                for (int i = 0; i < 64; i++) acc += s[i];
                __syncthreads();
                t[threadIdx.x] = t_next;
                __syncthreads();
            }
            s[threadIdx.x] = t[threadIdx.x ^ 1] + 1;
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += s[i];
            __syncthreads();
        }
    }
    // pipelinify: ldg-single, 1 stage, source c486707b
    {
        int k = 0;
        if (k < n) {
            s[threadIdx.x] = x[k * 64 + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k++; k < n; k++) {
                float s_next = x[k * 64 + threadIdx.x];
                t[threadIdx.x] = s[threadIdx.x ^ 3] + acc;
                __syncthreads();
                for (int i = 0; i < 64; i++) top = fmaxf(top, t[i] * (i ^ threadIdx.x));
                __syncthreads();
                s[threadIdx.x] = s_next;
                __syncthreads();
            }
            t[threadIdx.x] = s[threadIdx.x ^ 3] + acc;
            __syncthreads();
            for (int i = 0; i < 64; i++) top = fmaxf(top, t[i] * (i ^ threadIdx.x));
            __syncthreads();
        }
    }
    out[threadIdx.x] = acc + top;
}

struct Parts { float *a, *b; };
// pipelinify: launch record_of_parts
//   sizes    n=0,1,2,3,5
//   grid     1
//   block    64
//   smem     768
//   x:       in  [n * 64]
//   out:     out [64]
//   n:       n
__global__ void record_of_parts(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    Parts p = {sm, sm + 64};
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 4f32eac3
    int k = 0;
    if (k < n) {
        p.a[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float sm_next = x[k * 64 + threadIdx.x];
            p.b[threadIdx.x] = p.a[threadIdx.x ^ 1] + acc;
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += p.b[i];
            __syncthreads();
            p.a[threadIdx.x] = sm_next;
            __syncthreads();
        }
        p.b[threadIdx.x] = p.a[threadIdx.x ^ 1] + acc;
        __syncthreads();
        for (int i = 0; i < 64; i++) acc += p.b[i];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// Scratch that compute swaps.
// pipelinify: launch swapped_scratch
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   smem     768
//   x:       in  [n * 64]
//   out:     out [64]
//   n:       n
__global__ void swapped_scratch(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *cur = sm + 64, *old = sm + 128;
    float acc = 0;
    old[threadIdx.x] = cur[threadIdx.x] = 1;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 684ea910
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            cur[threadIdx.x] = t[threadIdx.x ^ 1] + old[63 - threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 64; i++) acc += cur[i] * old[63 - i];
            float *h = cur; cur = old; old = h;
        };
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
