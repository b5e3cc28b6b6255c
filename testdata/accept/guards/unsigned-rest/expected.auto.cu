// Numbers without signs: what is left of the input is no less than nothing, as the loop would
// have ended otherwise. So what compute reads of the last tile, this tile has.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr unsigned T = 32;

// pipelinify: launch rest_by_min
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void rest_by_min(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][T];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 2dec38a4
    unsigned f_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (f_load < n) {
            if (f_load + threadIdx.x < n)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &x[f_load + threadIdx.x], sizeof(float));
            f_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned f = 0; f < n; f += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile_stage[stage][j] * (float)(j + threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// The rest has a name, and is found without min; the tiles are counted in a wider type.
// pipelinify: launch rest_by_name
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void rest_by_name(const float *__restrict__ x, float *__restrict__ out, size_t n)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][T];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 837ec4fe
    size_t f_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (f_load < n) {
            if (f_load + threadIdx.x < n)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &x[f_load + threadIdx.x], sizeof(float));
            f_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (size_t f = 0; f < n; f += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const size_t rest = n - f < T ? n - f : T;
        for (size_t j = 0; j < rest; ++j)
            sum += tile_stage[stage][j] * (float)(j + threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

// The guard says it the other way round; the step stands in the body.
// pipelinify: launch guard_by_rest
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void guard_by_rest(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][T];
    float sum = 0.f;
    unsigned f = 0;
    // pipelinify: cp.async, 8 stages, source b198c341
    unsigned int f_load = f;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (n > f_load) {
            if (threadIdx.x < n - f_load)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &x[f_load + threadIdx.x], sizeof(float));
            f_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (n > f) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile_stage[stage][j] * (float)(j + threadIdx.x);
        f += T;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
