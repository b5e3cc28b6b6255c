// A number says where it is. The two sides of the loop could not have one each.
#include <cuda_runtime.h>

constexpr int T = 64;

struct Numbered {
    const float *p;
    int at, end;
    unsigned long long me;

    __device__ Numbered(const float *q, int n) : p(q), at(0), end(n), me(0) { }
    __device__ void settle() { me = (unsigned long long)&at; }
    __device__ bool more() const { return *(int *)me < end; }
    __device__ int where() const { return *(int *)me; }
    __device__ void load(float *row) const { row[threadIdx.x] = p[at * T + threadIdx.x]; }
    __device__ void next() { ++at; }
};

__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float row[T];
    Numbered rows(x, n);
    rows.settle();
    float sum = 0.f;
    while (rows.more()) {
        rows.load(row);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += row[i] * rows.where();
        __syncthreads();
        rows.next();
    }
    y[threadIdx.x] = sum;
}
