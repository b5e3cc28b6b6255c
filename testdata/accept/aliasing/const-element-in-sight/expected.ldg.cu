// The element's type is const by the argument: what is held in registers between load and store is not.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// pipelinify: launch weigh<const __half>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
template <class V>
__global__ void weigh(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 83a60b84
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V), "V must be plain data and not volatile");
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = __half2float(x[(2 * t + blockIdx.x) * 64 + threadIdx.x]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = __half2float(x[(2 * t + blockIdx.x) * 64 + threadIdx.x]);
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

template __global__ void weigh<const __half>(const __half *, float *, int);
