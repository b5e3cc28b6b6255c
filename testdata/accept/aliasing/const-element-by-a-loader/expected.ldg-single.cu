// A helper that gives the element back as its argument has it.
#include <cuda_runtime.h>

template <class V>
__device__ __forceinline__ V pick(V *from, int row, int column)
{
    return from[row * 64 + column];
}

// pipelinify: launch load<const float>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
template <class V>
__global__ void load(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 4fe76c22
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int t = 0;
    if (t < n) {
        {
            V v = pick<V>(x, 2 * t + blockIdx.x, threadIdx.x);
            s[threadIdx.x] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            V v = pick<V>(x, 2 * t + blockIdx.x, threadIdx.x);
            for (int k = 0; k < 64; ++k)
                sum += s[k] * (k - (int)threadIdx.x);
            __syncthreads();
            s[threadIdx.x] = v;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void load<const float>(const float *, float *, int);
template __global__ void load<float>(float *, float *, int);
