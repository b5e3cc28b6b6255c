// A guard leaves cells of the last tile as they were, and compute reads some of them: two buffers would hold those of
// the tile before that.
#include <cuda_runtime.h>

#define T 128

// One cell more than was loaded.
__global__ void one_more(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int valid = min(T - 1, n - b);
        if (t < valid)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j <= valid; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// Each thread has a bound of its own: another one loads what it reads.
__global__ void bound_of_the_thread(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    const int limit = n - (t & 1);
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        if (b + t < limit)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < T && b + j < limit; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// The counter moves between the test and the read.
__global__ void steps_before_it_reads(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int valid = min(T, n - b);
        if (t < valid)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < valid; ++j) {
            ++j;
            sum += s[j];
        }
        __syncthreads();
    }
    y[t] = sum;
}

// The bound grows between load and use.
__global__ void bound_is_raised(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        int valid = min(T - 1, n - b);
        if (t < valid)
            s[t] = x[b + t];
        __syncthreads();
        valid = valid + 1;
        for (int j = 0; j < valid; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// One read of the two has no bound.
__global__ void last_cell_too(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int valid = min(T, n - b);
        if (t < valid)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < valid; ++j)
            sum += s[j] * s[T - 1];
        __syncthreads();
    }
    y[t] = sum;
}

// n - b wraps for tiles without anything in them: all of their cells are read.
__global__ void wrapped_difference(const float *__restrict__ x, float *__restrict__ y, unsigned n, unsigned tiles)
{
    __shared__ float s[T];
    const unsigned t = threadIdx.x;
    float sum = 0.f;
    for (unsigned b = 0; b < tiles * T; b += T) {
        if (b + t < n)
            s[t] = x[b + t];
        __syncthreads();
        for (unsigned j = 0; j < T && j < n - b; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// The cells are filled from the end and read from the front.
__global__ void reversed_cells(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int valid = min(T, n - b);
        if (t < valid)
            s[T - 1 - t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < valid; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// The guard bounds the row, the read the column.
__global__ void other_index(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.f;
    for (int b = 0; b < n; b += 16) {
        if (b + ty < n)
            s[ty][tx] = x[(b + ty) * 16 + tx];
        __syncthreads();
        for (int j = 0; j < 16 && b + j < n; ++j)
            sum += s[tx][j];
        __syncthreads();
    }
    y[ty * 16 + tx] = sum;
}

// The guard has two ends, the read asks for one.
__global__ void left_edge(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = -4; b < n; b += T) {
        if (b + t >= 0 && b + t < n)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < T && b + j < n; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// A case label stands behind the test.
__global__ void behind_the_test(const float *__restrict__ x, float *__restrict__ y, int n, int mode)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        if (b + t < n)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < T; ++j) {
            switch (mode) {
            case 0:
                if (b + j >= n)
                    break;
            default:
                sum += s[j];
            }
        }
        __syncthreads();
    }
    y[t] = sum;
}

// The load moves on to the next tile before compute asks.
__global__ void asks_for_the_next(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    int b = (n - 1) / T * T;
    while (b >= 0) {
        if (b + t < n)
            s[t] = x[b + t];
        b -= T;
        __syncthreads();
        for (int j = 0; j < T && b + j < n; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}

// A copy loop that may be left early leaves cells below its bound as they were.
__global__ void left_early(const float *__restrict__ x, float *__restrict__ y, int n, int most)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int valid = min(T, n - b);
        for (int i = t; i < valid; i += 32) {
            s[i] = x[b + i];
            if (b + i > most)
                break;
        }
        __syncthreads();
        for (int j = 0; j < valid; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[t] = sum;
}
