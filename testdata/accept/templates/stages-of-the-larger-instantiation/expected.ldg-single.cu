// Two instantiations of tiles of different sizes: the form is one that the larger one can hold.
#include <cuda_runtime.h>

// pipelinify: launch blocks<12>
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 256 * 12]
//   y:       out [256]
//   n:       n
// pipelinify: launch blocks<2>
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 256 * 2]
//   y:       out [256]
//   n:       n
template <int EACH>
__global__ void __launch_bounds__(256) blocks(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[EACH][256];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source e82b0c3c
    int t = 0;
    if (t < n) {
        for (int e = 0; e < EACH; ++e)
            s[e][threadIdx.x] = x[(t * EACH + e) * 256 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[EACH];
            #pragma unroll
            for (int e = 0; e < EACH; ++e)
                s_next[e] = x[(t * EACH + e) * 256 + threadIdx.x];
            for (int e = 0; e < EACH; ++e)
                for (int k = 0; k < 256; k += 16)
                    sum += s[e][(k + threadIdx.x) & 255];
            __syncthreads();
            #pragma unroll
            for (int e = 0; e < EACH; ++e)
                s[e][threadIdx.x] = s_next[e];
            __syncthreads();
        }
        for (int e = 0; e < EACH; ++e)
            for (int k = 0; k < 256; k += 16)
                sum += s[e][(k + threadIdx.x) & 255];
    }
    y[threadIdx.x] = sum;
}

template __global__ void blocks<12>(const float *, float *, int);
template __global__ void blocks<2>(const float *, float *, int);
