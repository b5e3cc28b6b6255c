// Functions that are arguments of the kernel: each instantiation calls its own.
#include <cuda_runtime.h>

__device__ __forceinline__ float linear(float v) { return v; }
__device__ __forceinline__ float rectified(float v) { return v > 0.f ? v : 0.f; }
template <int PERCENT>
__device__ __forceinline__ float leaky(float v)
{
    return v > 0.f ? v : v * (PERCENT * 0.01f);
}

// pipelinify: launch layer<rectified>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
// pipelinify: launch layer<leaky<25>>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <float (*Activation)(float)>
__global__ void layer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 4dcadc47
    static_assert(Activation == rectified ||
                  Activation == leaky<25> ||
                  Activation == linear,
                  "pipelined for this Activation alone: run pipelinify again for another");
    int t = 0;
    if (t < n) {
        auto compute_tile = [&]() {
            float part = 0.f;
            for (int k = 0; k < 64; ++k)
                part += s[k] * ((k + threadIdx.x) & 7);
            sum += Activation(part - 3.f);
        };
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[t * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n)
{
    layer<linear><<<1, 64>>>(x, y, n);
    layer<rectified><<<1, 64>>>(x, y, n);
    layer<leaky<25>><<<1, 64>>>(x, y, n);
}
