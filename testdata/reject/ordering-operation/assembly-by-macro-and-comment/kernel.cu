// Assembly whose text is put together: of macros, behind comments and blanks.
#include <cuda_runtime.h>

#define TILE 64
#define STREAM_OUT "st.global.cs.f32 [%0], %1;"
#define CLAMP_LABEL "CLAMPED:\n\t"

// The partial sums go out past the cache.
__global__ void streamed(const float *x, float *y, int n)
{
    __shared__ float tile[TILE];
    float acc = 0.f;
    for (int k = 0; k < n; k += TILE) {
        tile[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            acc += tile[j];
        asm volatile(STREAM_OUT ::"l"(y + threadIdx.x), "f"(acc));
        __syncthreads();
    }
}

__global__ void clamped_here(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    float acc = 0.f;
    for (int k = 0; k < n; k += TILE) {
        tile[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            acc += tile[j];
        asm volatile("max.f32 %0, %0, 0f00000000;\n\t" CLAMP_LABEL : "+f"(acc));
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}

__global__ void clamped(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    float acc = 0.f;
    for (int k = 0; k < n; k += TILE) {
        tile[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            acc += tile[j];
        asm("max.f32 %0, %0, 0f00000000; // from below\n"
            "DONE /* with it */"
            ":"
            : "+f"(acc));
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}

// Each sum is to be seen before the next.
__global__ void published(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    float acc = 0.f;
    for (int k = 0; k < n; k += TILE) {
        tile[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            acc += tile[j];
        y[threadIdx.x] = acc;
        asm volatile("{\n\tmembar.gl;\n\t}");
        __syncthreads();
    }
}
