// What the build may change stands behind other names: a typedef, an alias, a record, an enumerator, the element.
#ifndef CELLS
#define CELLS 5632
#endif
#ifndef REAL
#define REAL float
#endif
typedef float Row[CELLS];
using Line = float[CELLS];
struct Storage {
    float cells[CELLS];
};
enum Sizes { kOne = 1, kCells = CELLS };
using real = REAL;
struct Fixed {
    float cells[5632];
};

__global__ void __launch_bounds__(256) by_typedef(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Row s;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < CELLS; i += 256)
            s[i] = x[t * CELLS + i];
        __syncthreads();
        for (int k = 0; k < CELLS; k += 8)
            sum += s[(k + threadIdx.x) % CELLS];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) by_alias(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Line s;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < CELLS; i += 256)
            s[i] = x[t * CELLS + i];
        __syncthreads();
        for (int k = 0; k < CELLS; k += 8)
            sum += s[(k + threadIdx.x) % CELLS];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) by_record(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Storage storage;
    float *s = storage.cells;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < CELLS; i += 256)
            s[i] = x[t * CELLS + i];
        __syncthreads();
        for (int k = 0; k < CELLS; k += 8)
            sum += s[(k + threadIdx.x) % CELLS];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) by_enumerator(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[kCells];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < kCells; i += 256)
            s[i] = x[t * kCells + i];
        __syncthreads();
        for (int k = 0; k < kCells; k += 8)
            sum += s[(k + threadIdx.x) % kCells];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) by_element(const real *__restrict__ x, real *__restrict__ y, int n)
{
    __shared__ real s[5632];
    real sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 5632; i += 256)
            s[i] = x[t * 5632 + i];
        __syncthreads();
        for (int k = 0; k < 5632; k += 8)
            sum += s[(k + threadIdx.x) % 5632];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(256) fixed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Fixed storage;
    float *s = storage.cells;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 5632; i += 256)
            s[i] = x[t * 5632 + i];
        __syncthreads();
        for (int k = 0; k < 5632; k += 8)
            sum += s[(k + threadIdx.x) % 5632];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
