// Steps of the header that hang on what the body sets: they are made as the last statement of the
// body, which is what they are.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define WIN 64

// Multi-resolution gather: the distance between windows doubles each time.
// pipelinify: launch pyramid_energy
//   sizes    n=0,63,64,200,1000
//   target   n=65536
//   grid     1
//   block    64
//   sig:     in  [n + 1]
//   energy:  out [64]
//   n:       n
__global__ void pyramid_energy(const float *__restrict__ sig, float *__restrict__ energy, int n)
{
    __shared__ float w_stage[2][WIN];
    const int t = threadIdx.x;
    float e = 0.0f;
    int step = WIN;

    // pipelinify: cp.async, 2 stages, source e6806fa7
    int at = 0, step_load = step, at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load + WIN <= n) {
            __pipeline_memcpy_async(&w_stage[load_stage][t], &sig[at_load + t], sizeof(float));
            step_load *= 2;
            at_load += step_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (at + WIN <= n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        e += w_stage[stage][t] * w_stage[stage][(t + 1) & (WIN - 1)];
        step *= 2;
        at += step;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    energy[blockIdx.x * WIN + t] = e;
}

// A shared step that is set anew behind the loop, which a jump leads back to.
// pipelinify: launch coarser_and_coarser
//   sizes    n=0,1,64,65,300 levels=1,3
//   target   n=65536 levels=4
//   grid     1
//   block    64
//   in:      in  [n + 1]
//   energy:  out [levels * 64]
//   n:       n
//   levels:  levels
__global__ void coarser_and_coarser(const float *__restrict__ in, float *__restrict__ energy,
                                    int n, int levels)
{
    __shared__ float part_stage[2][WIN];
    __shared__ int step;
    int level = 0;
    float sum = 0.0f;
    if (threadIdx.x == 0)
        step = WIN;
    __syncthreads();
next_level:
    sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 104047c3
    {
        int i = 0, i_load = i, stage = 0;
        if (i_load < n) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (i_load < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                        &in[i_load + threadIdx.x], sizeof(float),
                                        (i_load + threadIdx.x < n) ? 0 : sizeof(float));
                i_load += step;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        while (i < n) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int k = 0; k < WIN; ++k)
                sum += part_stage[stage][k] * part_stage[stage][k ^ threadIdx.x];
            i += step;
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    energy[level * WIN + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        step = WIN << (level + 1);
    if (++level < levels)
        goto next_level;
}

// What the loop counts with is a variable of the device, and no constant.
__device__ int count = 64;

// pipelinify: launch sums
//   sizes    n=0,64,128,320
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 9a362b97
    int k = 0, k_load = k, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x],
                                    sizeof(float));
            k_load += count;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (k < n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum += tile_stage[stage][63 - threadIdx.x];
        k += count;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

// The header steps, and so does a branch of the body.
// pipelinify: launch twice
//   sizes    n=0,1,2,9,40
//   target   n=65536
//   grid     1
//   block    64
//   data:    in  [n * 64 + 1]
//   sums:    out [64]
//   n:       n
__global__ void twice(const float *__restrict__ data, float *__restrict__ sums, int n)
{
    __shared__ float span_stage[2][64];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 6e37a8bd
    int at = 0, at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            auto &at = at_load;
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &data[at * 64 + threadIdx.x], sizeof(float));
            if (at & 1)
                at += 4;
            at = at * 2 + 1;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (at < n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 64; ++k)
            sum += span_stage[stage][k] * (at + 1);
        if (at & 1)
            at += 4;
        at = at * 2 + 1;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[threadIdx.x] = sum;
}
