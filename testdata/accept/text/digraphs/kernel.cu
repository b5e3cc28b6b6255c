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
    for (int k = 0; k < tiles; ++k) <%
        s<:threadIdx.x:> = x<:k * 64 + threadIdx.x:>;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s<:j:> * (float)((j bitand threadIdx.x) + blockIdx.x);
        __syncthreads();
    %>
    y<:blockIdx.x * 64 + threadIdx.x:> = sum;
%>
