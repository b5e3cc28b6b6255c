// A using directive of the body that the load side, which stands elsewhere, might see or not see.
#define T 64

namespace rows {
__device__ inline int at(int t) { return t * T; }
__device__ inline int next(int t) { return t + 1; }
__device__ inline float weigh(float v) { return v; }
} // namespace rows
namespace odd {
__device__ inline int at(long t) { return (int)t * T + 1; }
__device__ inline int next(long t) { return (int)t + 2; }
__device__ inline float weigh(double v) { return 2.f * (float)v; }
} // namespace odd

using namespace rows;

// The load is not to see it.
__global__ void behind_load(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (long t = 0; t < tiles; ++t) {
        int first = at(t);
        using namespace odd;
        s[threadIdx.x] = x[first + at(t) + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += weigh((double)s[j]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Nor is the header's condition.
__global__ void in_header(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (long t = 0; next(t) < tiles; ++t) {
        using namespace odd;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += weigh((double)s[j]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Compute alone has names that it is about.
__global__ void for_compute(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (long t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        using namespace odd;
        for (int j = 0; j < T; ++j)
            sum += weigh((double)s[j]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
