// Marks for a profiler, which a build may give a meaning, and that are handed a name.
// pipelinify: launch row_sums
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     3
//   block    64
//   a:       in [n * 64 + 1] random
//   out:     out [192]
//   n:       n
#include <cuda_runtime.h>

#ifndef MARK
#define MARK(name, at)
#endif

constexpr int T = 64;

__global__ void row_sums(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source fcb798ee
    int i = 0;
    if (i < n) {
        s[t] = a[i * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            float s_next = a[i * T + t];
            MARK("sum", i + 1);
            for (int j = 0; j < T; ++j)
                sum += s[j ^ t] * j;
            __syncthreads();
            s[t] = s_next;
            __syncthreads();
        }
        MARK("sum", i + 1);
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * j;
    }
    out[blockIdx.x * T + t] = sum;
}
