// Loops over shared memory that wait for nothing and need not: columns of which each
// thread has its own, filled ahead and slid along; a table that is read while the
// sums of other warps are kept; rings of one thread each.
#include <cuda_runtime.h>

// A window of four samples for each thread, in shared memory because it is indexed.
__global__ void __launch_bounds__(64) windows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float own[4][64];
    const int t = threadIdx.x;
    for (int i = 0; i < 3; ++i)
        own[i][t] = i < n ? x[i * 64 + t] : 0.f;
    for (int i = 0; i < n; ++i) {
        own[(i + 3) & 3][t] = i + 3 < n ? x[(i + 3) * 64 + t] : 0.f;
        y[i * 64 + t] = own[i & 3][t] - own[(i + 1) & 3][t] * own[(i + 2) & 3][t];
    }
}

// Interpolation in a table that is loaded once.
__global__ void __launch_bounds__(128) curve(const float *__restrict__ table, const float *__restrict__ x,
                                             float *__restrict__ y, int n)
{
    __shared__ float points[256];
    for (int i = threadIdx.x; i < 256; i += 128)
        points[i] = table[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 128)
        y[i] = points[i & 255] + points[(i + 1) & 255] * x[i];
}

// Keys that each thread sorts into its own run of eight.
__global__ void __launch_bounds__(32) runs(const int *__restrict__ keys, int *__restrict__ out, int n)
{
    __shared__ int mine[32][9];
    const int t = threadIdx.x;
    mine[t][0] = n > 0 ? keys[t] : 0;
    for (int k = 1; k < n && k < 8; ++k) {
        const int key = keys[k * 32 + t];
        mine[t][k] = key;
        if (mine[t][k - 1] > key)
            mine[t][8] = key;
    }
    for (int k = 0; k < n && k < 8; ++k)
        out[k * 32 + t] = mine[t][k];
}
