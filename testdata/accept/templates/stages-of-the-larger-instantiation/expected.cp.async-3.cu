// Two instantiations of tiles of different sizes: the form is one that the larger one can hold.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float s_stage[stages][EACH][256];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source e82b0c3c
    static_assert((long long)EACH == 12 ||
                  (long long)EACH == 2,
                  "pipelined for this EACH alone: run pipelinify again for another");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            for (int e = 0; e < EACH; ++e)
                __pipeline_memcpy_async(&s_stage[load_stage][e][threadIdx.x],
                                        &x[(t_load * EACH + e) * 256 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int e = 0; e < EACH; ++e)
            for (int k = 0; k < 256; k += 16)
                sum += s_stage[stage][e][(k + threadIdx.x) & 255];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

template __global__ void blocks<12>(const float *, float *, int);
template __global__ void blocks<2>(const float *, float *, int);
