// A span over const elements, one level of class templates below the kernel's argument.
#include <cuda_runtime.h>

template <class T>
struct Span {
    T *first;
    __device__ T &at(int i) const { return first[i]; }
    __device__ T &operator[](int i) const { return first[i]; }
};

// pipelinify: launch spans<const float>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
// pipelinify: launch spans<const int>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
template <class V>
__global__ void spans(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    const Span<V> rows{x};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 9bcf3058
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = rows[(2 * t + blockIdx.x) * 64 + threadIdx.x] * 0.25f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = rows[(2 * t + blockIdx.x) * 64 + threadIdx.x] * 0.25f;
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][k] * (k - (int)threadIdx.x);
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += s_stage[stage][k] * (k - (int)threadIdx.x);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void spans<const float>(const float *, float *, int);
template __global__ void spans<const int>(const int *, float *, int);
