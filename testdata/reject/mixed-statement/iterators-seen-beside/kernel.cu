// Iterators that are the caller's, and a method that could not know yet what another one below it
// would fetch. One that is handed by value compute may look at: its own one.
#include <cuda_runtime.h>

constexpr int T = 64;

struct RowWalk {
    const float *rows;
    int at;

    // The other walk is its own, but load stands below.
    __device__ float sum_from(int first, int n) const
    {
        __shared__ float row[T];
        RowWalk walk = {rows, first};
        float sum = 0.f;
        for (int r = 0; r < n; ++r) {
            walk.load(row);
            ++walk.at;
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += row[i];
            __syncthreads();
        }
        return sum;
    }

    __device__ void load(float *row) const { row[threadIdx.x] = rows[at * T + threadIdx.x]; }
    __device__ void next() { ++at; }
};

// Compute asks its own one where it is.
__device__ float weighted(RowWalk walk, int n)
{
    __shared__ float row[T];
    float sum = 0.f;
    for (int r = 0; r < n; ++r) {
        walk.load(row);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += row[i] * walk.at;
        __syncthreads();
        walk.next();
    }
    return sum;
}

// It is the caller's.
__device__ float on_and_on(RowWalk &walk, int n)
{
    __shared__ float row[T];
    float sum = 0.f;
    for (int r = 0; r < n; ++r) {
        walk.load(row);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += row[i];
        __syncthreads();
        walk.next();
    }
    return sum;
}

__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    RowWalk walk = {x, 0};
    float sum = walk.sum_from(0, n);
    __syncthreads();
    sum += weighted(walk, n);
    __syncthreads();
    sum += on_and_on(walk, n);
    y[threadIdx.x] = sum + walk.at;
}
