// What the loops use is chosen in headers: by macros, a type by way of another header's,
// a branch of a method, a name that is put together.
#include "portable.h"

__global__ void __launch_bounds__(64)
levels_so_far(const float *APART in, float *APART out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        out[(d + 1) * 64 + t] = level;
        __syncthreads();
    }
    out[t] = level;
}

__global__ void __launch_bounds__(64)
typed(const reading *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        __syncthreads();
    }
    out[t] = level;
}

__global__ void __launch_bounds__(64)
probed(float *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        PROBE(in + (d + 1) * 64 + t, level);
        __syncthreads();
    }
    out[t] = level;
}

__global__ void __launch_bounds__(64)
by_method(Station from, float *__restrict__ seen, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = from.at(seen, d * 64 + t);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        __syncthreads();
    }
    out[t] = level;
}

__global__ void __launch_bounds__(64)
put_together(const KIND_OF(tide) *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        __syncthreads();
    }
    out[t] = level;
}

__global__ void __launch_bounds__(64)
plain(const float *__restrict__ in, float *__restrict__ out, int days)
{
    __shared__ float day[64];
    const int t = threadIdx.x;
    float level = 0.f;
    for (int d = 0; d < days; ++d) {
        day[t] = in[d * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            level += day[j] * day[j ^ t];
        __syncthreads();
    }
    out[t] = level;
}
