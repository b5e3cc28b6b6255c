// Behind the tiles of each row the shared memory is used again, and what an earlier row left there
// may be found.
#include <cuda_runtime.h>

#define T 32

// Only as many cells as are left are written, and the sum goes over a whole tile.
__global__ void rest_guarded(const float *__restrict__ x, float *__restrict__ out, int rows, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        float acc = 0.0f;
        int i = 0;
        for (; i + T <= n; i += T) {
            s[t] = x[r * n + i + t];
            __syncthreads();
            acc += s[T - 1 - t];
            __syncthreads();
        }
        if (t < n - i)
            s[t] = x[r * n + i + t];
        __syncthreads();
        acc += s[T - 1 - t];
        __syncthreads();
        out[r * T + t] = acc;
    }
}

// A cell that the tiles do not write keeps the greatest sum of all rows so far.
__global__ void cell_apart(const float *__restrict__ x, float *__restrict__ out, int rows, int n)
{
    __shared__ float s[T + 1];
    const int t = threadIdx.x;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        float acc = 0.0f;
        for (int i = 0; i < n; i += T) {
            s[t] = x[r * n + i + t];
            __syncthreads();
            acc += s[T - 1 - t];
            __syncthreads();
        }
        s[t] = acc;
        __syncthreads();
        if (t == 0)
            s[T] = r == blockIdx.x ? s[0] : fmaxf(s[T], s[0]);
        __syncthreads();
        out[r * T + t] = acc / s[T];
        __syncthreads();
    }
}

// Another half of the memory is written for each other row.
__global__ void halves(const float *__restrict__ x, float *__restrict__ out, int rows, int n)
{
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        const int half = r % 2 * T;
        float acc = 0.0f;
        for (int i = 0; i < n; i += T) {
            s[half + t] = x[r * n + i + t];
            __syncthreads();
            acc += s[half + T - 1 - t];
            __syncthreads();
        }
        s[half + t] = acc;
        __syncthreads();
        out[r * T + t] = s[T - 1 - t] + s[2 * T - 1 - t];
        __syncthreads();
    }
}

// The last tile is looked at first; a row may have none.
__global__ void last_of_row(const float *__restrict__ x, const int *__restrict__ ends,
                            float *__restrict__ out, int rows, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        const int end = ends[r];
        float acc = 0.0f;
        for (int i = 0; i < end; i += T) {
            s[t] = x[r * n + i + t];
            __syncthreads();
            acc += s[T - 1 - t];
            __syncthreads();
        }
        out[r * T + t] = acc + s[t ^ 1];
        __syncthreads();
        s[t] = acc;
        __syncthreads();
        out[r * T + t] += s[T - 1 - t];
        __syncthreads();
    }
}

// Where nothing was found the row's memory stays as it is, and is read all the same.
__global__ void skipped_store(const float *__restrict__ x, float *__restrict__ out, int rows, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        float acc = 0.0f;
        for (int i = 0; i < n - r; i += T) {
            s[t] = x[r * n + i + t];
            __syncthreads();
            acc += s[T - 1 - t];
            __syncthreads();
        }
        if (n > 2 * T)
            s[t] = acc;
        __syncthreads();
        out[r * T + t] = s[T - 1 - t];
        __syncthreads();
    }
}
