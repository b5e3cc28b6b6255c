// Functions that are arguments of the kernel: each instantiation calls its own.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ __forceinline__ float linear(float v) { return v; }
__device__ __forceinline__ float rectified(float v) { return v > 0.f ? v : 0.f; }
template <int PERCENT>
__device__ __forceinline__ float leaky(float v)
{
    return v > 0.f ? v : v * (PERCENT * 0.01f);
}

// pipelinify: launch layer<rectified>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
// pipelinify: launch layer<leaky<25>>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <float (*Activation)(float)>
__global__ void layer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 4dcadc47
    static_assert(Activation == rectified ||
                  Activation == leaky<25> ||
                  Activation == linear,
                  "pipelined for this Activation alone: run pipelinify again for another");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &x[t_load * 64 + threadIdx.x], sizeof(float));
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
        float part = 0.f;
        for (int k = 0; k < 64; ++k)
            part += s_stage[stage][k] * ((k + threadIdx.x) & 7);
        sum += Activation(part - 3.f);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n)
{
    layer<linear><<<1, 64>>>(x, y, n);
    layer<rectified><<<1, 64>>>(x, y, n);
    layer<leaky<25>><<<1, 64>>>(x, y, n);
}
