// A holder that is made in the call, of a cell of the source: its member is a reference
// in the instantiation in sight, and what the call stores is what a later tile is loaded
// from.
#include <cuda_runtime.h>

template <class R>
struct Holder {
    R value;
    template <class V>
    __device__ void operator()(V v)
    {
        value = v;
    }
};

template <class R, class V>
__device__ void put(R place, V v)
{
    place = v;
}

template <class R>
__global__ void held(float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        Holder<R>{x[0]}(sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void held<float &>(float *, float *, int);

template <class R>
__global__ void handed_over(float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        put<R>(x[0], sum);                          // no instantiation: R may be float &
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
