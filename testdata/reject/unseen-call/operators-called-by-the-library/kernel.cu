// Functions of the libraries call operators of the user's for what they are handed: such that
// count, or that read what is shared; of the other two nothing is to be said.
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int asked;

struct counted {
    float v;

    __device__ bool operator<(const counted &o) const
    {
        atomicAdd(&asked, 1);
        return v < o.v;
    }
};

struct ranked {
    float v;
};

__device__ inline bool operator<(const ranked &a, const ranked &b)
{
    return a.v * (asked & 1) < b.v;
}

struct keyed {
    float v;
    int i;

    __device__ bool operator<(const keyed &o) const { return v < o.v || (v == o.v && i < o.i); }
};

struct later {
    __device__ keyed operator()(const keyed &a, const keyed &b) const
    {
        return a < b ? b : a;
    }
};

struct noted {
    int *where;

    __device__ float operator()(float a, float b) const
    {
        *where += 1;
        return a < b ? b : a;
    }
};

__global__ void a_count(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        counted a = {in[t + threadIdx.x]}, b = {in[t + 63 - threadIdx.x]};
        tile[threadIdx.x] = std::max(a, b).v;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_variable(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        ranked a = {in[t + threadIdx.x]}, b = {in[t + 63 - threadIdx.x]};
        tile[threadIdx.x] = std::min(a, b).v;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_place(const float *__restrict__ in, float *__restrict__ out, int *notes, int n)
{
    __shared__ float tile[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += cg::reduce(warp, tile[(i + threadIdx.x) % 64], noted{notes + threadIdx.x});
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void members(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    keyed top = {-1e30f, 0};
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) {
            keyed one = {tile[(i + threadIdx.x) % 64], t + i};
            top = std::max(top, one);
        }
        __syncthreads();
    }
    out[threadIdx.x] = top.v + top.i;
}

__global__ void members_of_a_warp(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    keyed top = {-1e30f, 0};
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) {
            keyed one = {tile[(i + threadIdx.x) % 64], t + i};
            top = cg::reduce(warp, one, later{});
        }
        __syncthreads();
    }
    out[threadIdx.x] = top.v + top.i;
}
