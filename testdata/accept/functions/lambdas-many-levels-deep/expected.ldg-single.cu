// Lambdas that call lambdas, nine levels deep; the innermost adds to the thread's own sums.
// pipelinify: launch moments
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   grid     3
//   block    64
//   a:       in [n * 64 + 1] random
//   out:     out [192]
//   n:       n
#include <cuda_runtime.h>

constexpr int T = 64;

__global__ void moments(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sums[2] = {};
    auto add0 = [&](int i, float v) { sums[i] += v; };
    auto add1 = [&](int i, float v) { add0(i, v); };
    auto add2 = [&](int i, float v) { add1(i, v); };
    auto add3 = [&](int i, float v) { add2(i, v); };
    auto add4 = [&](int i, float v) { add3(i, v); };
    auto add5 = [&](int i, float v) { add4(i, v); };
    auto add6 = [&](int i, float v) { add5(i, v); };
    auto add7 = [&](int i, float v) { add6(i, v); };
    auto add8 = [&](int i, float v) { add7(i, v); };
    // pipelinify: ldg-single, 1 stage, source dd7310f8
    {
        int i = 0;
        if (i < n) {
            s[t] = a[i * T + t];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < n; ++i) {
                float s_next = a[i * T + t];
                for (int j = 0; j < T; ++j) {
                    add8(0, s[j ^ t]);
                    add8(1, s[j ^ t] * s[j]);
                }
                __syncthreads();
                s[t] = s_next;
                __syncthreads();
            }
            for (int j = 0; j < T; ++j) {
                add8(0, s[j ^ t]);
                add8(1, s[j ^ t] * s[j]);
            }
        }
    }
    out[blockIdx.x * T + t] = sums[0] - sums[1];
}
