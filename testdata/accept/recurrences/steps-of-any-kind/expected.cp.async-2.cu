// What leads to the next tile is no sum: the load side runs a copy of it ahead.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define SPAN 64

// Spans in the order of a generator of random numbers, in three statements a step.
// pipelinify: launch sampled
//   sizes    spans=0,1,2,3,6,9 seed=1,77
//   target   spans=4096 seed=1
//   grid     2
//   block    64
//   data:    in  [64 * 64] random
//   sums:    out [2 * 64 + 1]
//   spans:   spans
//   seed:    seed
__global__ void sampled(const float *__restrict__ data, float *__restrict__ sums, int spans,
                        unsigned seed)
{
    __shared__ float span_stage[2][SPAN];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source ecf95809
    int i_load = 0, stage = 0;
    unsigned int seed_load = seed;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < spans) {
            auto &seed = seed_load;
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &data[seed % 64 * SPAN + threadIdx.x], sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < spans; ++i) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] * (seed >> 28 ^ threadIdx.x);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[blockIdx.x * SPAN + threadIdx.x] = sum;
    sums[2 * SPAN] = seed;
}

// One span for each bit of a mask, the lowest first.
// pipelinify: launch masked
//   sizes    mask=0,1,2,3,128,170,255
//   target   mask=255
//   block    64
//   data:    in  [32 * 64] random
//   sums:    out [64]
//   mask:    mask
__global__ void masked(const float *__restrict__ data, float *__restrict__ sums, unsigned mask)
{
    __shared__ float span_stage[2][SPAN];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 23bf6a81
    unsigned left_load = mask;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (left_load) {
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &data[(__ffs(left_load) - 1) * SPAN + threadIdx.x],
                                    sizeof(float));
            left_load &= left_load - 1;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (unsigned left = mask; left; left &= left - 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] * left;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[threadIdx.x] = sum;
}

// A ring of five spans; what is skipped depends on the round.
// pipelinify: launch ring
//   sizes    rounds=0,1,2,3,7,12
//   target   rounds=5000
//   block    64
//   data:    in  [8 * 64] random
//   sums:    out [64 + 1]
//   rounds:  rounds
__global__ void ring(const float *__restrict__ data, float *__restrict__ sums, int rounds)
{
    __shared__ float span_stage[2][SPAN];
    int slot = 3;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 8ed36690
    int i_load = 0, slot_load = slot, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < rounds) {
            auto &slot = slot_load;
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &data[slot * SPAN + threadIdx.x], sizeof(float));
            if (i_load % 3 == 1)
                slot = (slot + 2) % 5;
            else if (++slot == 5)
                slot = 0;
            i_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < rounds; i++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (i % 3 == 1)
            slot = (slot + 2) % 5;
        else if (++slot == 5)
            slot = 0;
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] + slot;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[threadIdx.x] = sum;
    sums[SPAN] = slot;
}

// How often the loop runs hangs on it, too.
// pipelinify: launch collatz
//   sizes    n=1,2,3,5,6,7
//   target   n=27
//   block    64
//   data:    in  [64 * 64] random
//   sums:    out [64 + 1]
//   n:       n
__global__ void collatz(const float *__restrict__ data, float *__restrict__ sums, int n)
{
    __shared__ float span_stage[2][SPAN];
    int at = n, steps = 0;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 6c228bcd
    int at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load > 1) {
            auto &at = at_load;
            __pipeline_memcpy_async(&span_stage[load_stage][threadIdx.x],
                                    &data[(at & 63) * SPAN + threadIdx.x], sizeof(float));
            at = at % 2 ? 3 * at + 1 : at / 2;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    while (at > 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        at = at % 2 ? 3 * at + 1 : at / 2;
        ++steps;
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] * steps;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[threadIdx.x] = sum;
    sums[SPAN] = at + steps;
}
