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
    __shared__ float s_stage[2][EACH][256];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source e82b0c3c
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
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int e = 0; e < EACH; ++e)
            for (int k = 0; k < 256; k += 16)
                sum += s_stage[stage][e][(k + threadIdx.x) & 255];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

template __global__ void blocks<12>(const float *, float *, int);
template __global__ void blocks<2>(const float *, float *, int);
