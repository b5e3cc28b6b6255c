// Of two instantiations one needs a conversion at the store, the other does not: both hold the stored value.
#include <cuda_runtime.h>

// pipelinify: launch convert<float>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
// pipelinify: launch convert<const unsigned char>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
template <class V>
__global__ void convert(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source d3ec3c04
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V), "V must be plain data and not volatile");
    int t = 0;
    if (t < n) {
        s[threadIdx.x] = x[(2 * t + blockIdx.x) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[(2 * t + blockIdx.x) * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                sum += s[k] * (k - (int)threadIdx.x);
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void convert<float>(float *, float *, int);
template __global__ void convert<const unsigned char>(const unsigned char *, float *, int);
