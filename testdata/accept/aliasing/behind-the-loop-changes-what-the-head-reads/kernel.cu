// No barrier ends the body, but those inside stand between the head of the last tile and the text behind the loop.
#include <cuda_runtime.h>

// pipelinify: launch smooth
//   sizes  passes=0,1,2,3,6
//   target passes=8192
//   grid   1
//   block  128
//   kernel_: in  [passes * 128] random
//   line:    inout [128] random
//   passes:  passes
__global__ void smooth(const float *__restrict__ kernel_, float *line, int passes)
{
    __shared__ float weight[128];
    const int i = threadIdx.x;
    float value = 0.0f;

    for (int p = 0; p < passes; ++p) {
        const float across = line[127 - i];
        __syncthreads();
        weight[i] = kernel_[p * 128 + i];
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            value += across * weight[k] * weight[(k + i) & 127];
    }

    line[i] = value;
}
