// Elements of a const type behind a guard, with a zero of that type.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// pipelinify: launch ragged<const __half>
//   sizes    n=0,1,63,64,65,200
//   target   n=262144
//   grid     1
//   block    64
//   x:       in  [n]
//   y:       out [64]
//   n:       n
template <class V>
__global__ void ragged(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source c7a60c84
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int t = 0, stage = 0;
    if (t < n) {
        {
            const int i = t + threadIdx.x;
            s_stage[0][threadIdx.x] = i < n ? __half2float(x[i]) : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += 64; t < n; t += 64) {
            const int i = t + threadIdx.x;
            float s_next = i < n ? __half2float(x[i]) : 0.f;
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][k] * (k - (int)threadIdx.x);
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += s_stage[stage][k] * (k - (int)threadIdx.x);
    }
    y[threadIdx.x] = sum;
}

template __global__ void ragged<const __half>(const __half *, float *, int);
