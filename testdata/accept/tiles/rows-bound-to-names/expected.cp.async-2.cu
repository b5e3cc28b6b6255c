// The rows of one array, and the sums, are elements that names are bound to.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // pipelinify: cp.async, 2 stages, source 5020cd68
    int i_load = 0, stage = 0;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        if (i_load < n) {
            auto &rows = rows_stage[load_stage];
            auto &[first, second] = rows;
            const bool in = i_load + threadIdx.x < n;
            __pipeline_memcpy_async(&first[threadIdx.x], &from[i_load + threadIdx.x], sizeof(float),
                                    in ? 0 : sizeof(float));
            __pipeline_memcpy_async(&second[threadIdx.x], &from[n + i_load + threadIdx.x],
                                    sizeof(float), in ? 0 : sizeof(float));
            i_load += T;
        }
        __pipeline_commit();
    }
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < n; i += T) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (i_load < n) {
            int load_stage = stage ^ 1;
            auto &rows = rows_stage[load_stage];
            auto &[first, second] = rows;
            const bool in = i_load + threadIdx.x < n;
            __pipeline_memcpy_async(&first[threadIdx.x], &from[i_load + threadIdx.x], sizeof(float),
                                    in ? 0 : sizeof(float));
            __pipeline_memcpy_async(&second[threadIdx.x], &from[n + i_load + threadIdx.x],
                                    sizeof(float), in ? 0 : sizeof(float));
            i_load += T;
        }
        __pipeline_commit();
        auto &rows = rows_stage[stage];
        auto &[first, second] = rows;
        for (int j = 0; j < T; j += 2) {
            even = 0.5f * even + first[j] * second[(j + threadIdx.x) % T];
            odd = 0.5f * odd + first[j + 1] * rows[1][(j + 1 + threadIdx.x) % T];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * T + threadIdx.x] = sums[0] - sums[1];
}
