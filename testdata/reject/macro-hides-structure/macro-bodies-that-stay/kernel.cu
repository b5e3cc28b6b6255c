// Macros that make what fills a tile, and whose bodies cannot take the place of their
// uses: they mean something else in another build, or are more than plain text.
#include <cuda_runtime.h>

#define T 64
#ifdef TRANSPOSED
#define LOAD_EITHER(k) part[threadIdx.x] = a[(k) * n + threadIdx.x]
#else
#define LOAD_EITHER(k) part[threadIdx.x] = a[(k) + threadIdx.x]
#endif
#define LOAD_ONCE(k) part[threadIdx.x] = a[(k) + threadIdx.x]
#define LOAD_NAMED(name, k) name##_tile[threadIdx.x] = a[(k) + threadIdx.x]
#define LOAD_LIST(tile, ...) tile[threadIdx.x] = a[threadIdx.x + (__VA_ARGS__)]
#define PLACE part, k
#define LOAD_AT(tile, k) tile[threadIdx.x] = a[(k) + threadIdx.x]
#define LOAD_PLACE(place) LOAD_AT(place)
#define LOAD_AND_NOTE(k) part[threadIdx.x] = a[(k) + threadIdx.x]; y[threadIdx.x] = k
#define LOAD_BEFORE(k)               \
    do {                             \
        if ((k) + T > n)             \
            break;                   \
        part[threadIdx.x] = a[(k) + threadIdx.x]; \
    } while (0)

#define USE                             \
    __syncthreads();                    \
    for (int i = 0; i < T; ++i)         \
        sum += part[i] * part[i ^ threadIdx.x]; \
    __syncthreads()

__global__ void either(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_EITHER(k);
        USE;
    }
    y[threadIdx.x] = sum;
}

__global__ void once(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_ONCE(k);
        USE;
    }
    y[threadIdx.x] = sum;
}
#undef LOAD_ONCE

__global__ void named(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part_tile[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_NAMED(part, k);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += part_tile[i] * part_tile[i ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void list(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_LIST(part, k);
        USE;
    }
    y[threadIdx.x] = sum;
}

// One argument becomes two, once it is replaced.
__global__ void place(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_PLACE(PLACE);
        USE;
    }
    y[threadIdx.x] = sum;
}

// What the body does is no load alone.
__global__ void noted(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_AND_NOTE(k);
        USE;
    }
    y[threadIdx.x] += sum;
}

// The ragged tile keeps the one before.
__global__ void before(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        LOAD_BEFORE(k);
        USE;
    }
    y[threadIdx.x] = sum;
}
