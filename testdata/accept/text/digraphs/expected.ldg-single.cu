// Brackets and braces by their other names, for keyboards that had none.
#include <cuda_runtime.h>

// pipelinify: launch smoothed
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    64
//   x:       in  [tiles*64 + 1]
//   y:       out [3*64]
//   tiles:   tiles

__global__ void smoothed(const float *__restrict__ x, float *__restrict__ y, int tiles)
<%
    __shared__ float s<:64:>;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 56cdfcfa
    int k = 0;
    if (k < tiles) {
        s[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * 64 + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                sum += s[j] * (float)((j bitand threadIdx.x) + blockIdx.x);
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)((j bitand threadIdx.x) + blockIdx.x);
    }
    y<:blockIdx.x * 64 + threadIdx.x:> = sum;
%>
