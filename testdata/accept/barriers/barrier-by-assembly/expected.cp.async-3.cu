// Waits by the instruction that __syncthreads() is.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch matvec
//   sizes    n=0,1,63,64,65,200
//   target   n=4096
//   grid     2
//   block    64
//   a:       in  [2 * 64 * n + 1]
//   x:       in  [n + 1]
//   y:       out [2 * 64]
//   n:       n
__global__ void matvec(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y,
                       int n)
{
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][64];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 8b9b6f12
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 64 && k + i < n; ++i)
            sum += a[row * n + k + i] * xs_stage[stage][i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[row] = sum;
}
