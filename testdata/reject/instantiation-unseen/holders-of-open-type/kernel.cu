// No instantiation is in sight, and R may be a reference: then what is done to the holder
// is done to what it was made from, the address of the loads or a cell of the source.
#include <cuda_runtime.h>

template <class R>
struct Holder {
    R value;
    __device__ void add(int v) { value += v; }
};

template <class R>
__global__ void address(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int skip = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[skip + t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        Holder<R> holder = {skip};
        holder.add((int)(sum > 1000.0f));
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template <class Policy>
__global__ void cell(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    Holder<typename Policy::Place> holder = {x[0]};
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        holder.add((int)sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
