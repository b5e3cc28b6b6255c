// The rows of one array, and the sums, are elements that names are bound to.
#include <cuda_runtime.h>

#define T 32

// pipelinify: launch dots
//   sizes    n=0,1,31,32,33,100
//   target   n=65536
//   grid     2
//   block    32
//   a:       in  [4 * n + 1]
//   out:     out [2 * 32]
//   n:       n
__global__ void dots(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows_stage[2][2][T];
    float sums[2] = {};
    auto &[even, odd] = sums;
    const float *from = a + blockIdx.x * 2 * n;
    // pipelinify: ldg, 2 stages, source 5020cd68
    int i = 0, stage = 0;
    if (i < n) {
        {
            auto &rows = rows_stage[0];
            auto &[first, second] = rows;
            const bool in = i + threadIdx.x < n;
            first[threadIdx.x] = in ? from[i + threadIdx.x] : 0.f;
            second[threadIdx.x] = in ? from[n + i + threadIdx.x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += T; i < n; i += T) {
            const bool in = i + threadIdx.x < n;
            float part_next = in ? from[i + threadIdx.x] : 0.f;
            float part_next2 = in ? from[n + i + threadIdx.x] : 0.f;
            {
                auto &rows = rows_stage[stage];
                auto &[first, second] = rows;
                for (int j = 0; j < T; j += 2) {
                    even = 0.5f * even + first[j] * second[(j + threadIdx.x) % T];
                    odd = 0.5f * odd + first[j + 1] * rows[1][(j + 1 + threadIdx.x) % T];
                }
            }
            stage ^= 1;
            {
                auto &rows = rows_stage[stage];
                auto &[first, second] = rows;
                first[threadIdx.x] = part_next;
                second[threadIdx.x] = part_next2;
            }
            __syncthreads();
        }
        {
            auto &rows = rows_stage[stage];
            auto &[first, second] = rows;
            for (int j = 0; j < T; j += 2) {
                even = 0.5f * even + first[j] * second[(j + threadIdx.x) % T];
                odd = 0.5f * odd + first[j + 1] * rows[1][(j + 1 + threadIdx.x) % T];
            }
        }
    }
    out[blockIdx.x * T + threadIdx.x] = sums[0] - sums[1];
}
