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

    // pipelinify: ldg-single, 1 stage, source 989dbe38
    int p = 0;
    if (p < passes) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float across = line[127 - i];
            for (int k = 0; k < 128; ++k)
                value += across * weight[k] * weight[(k + i) & 127];
        };
        weight[i] = kernel_[p * 128 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++p; p < passes; ++p) {
            float weight_next = kernel_[p * 128 + i];
            compute_tile();
            __syncthreads();
            weight[i] = weight_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    line[i] = value;
}
