// What leads to the next tile is no sum: the load side runs a copy of it ahead.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source ecf95809
    int i = 0, stage = 0;
    unsigned int seed_tile = seed;
    if (i < spans) {
        auto compute_tile = [&]() {
            auto &seed = seed_tile;
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            for (int k = 0; k < SPAN; ++k)
                sum = sum * 0.75f + span_stage[stage][k] * (seed >> 28 ^ threadIdx.x);
        };
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        span_stage[0][threadIdx.x] = data[seed % 64 * SPAN + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < spans; ++i) {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            float span_next = data[seed % 64 * SPAN + threadIdx.x];
            compute_tile();
            stage ^= 1;
            span_stage[stage][threadIdx.x] = span_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source 23bf6a81
    unsigned left = mask;
    unsigned int left_tile = left;
    if (left) {
        int stage = 0;
        span_stage[0][threadIdx.x] = data[(__ffs(left) - 1) * SPAN + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (left &= left - 1; left; left &= left - 1) {
            float span_next = data[(__ffs(left) - 1) * SPAN + threadIdx.x];
            for (int k = 0; k < SPAN; ++k)
                sum = sum * 0.75f + span_stage[stage][k] * left_tile;
            left_tile &= left_tile - 1;
            stage ^= 1;
            span_stage[stage][threadIdx.x] = span_next;
            __syncthreads();
        }
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] * left_tile;
    }
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
    // pipelinify: ldg, 2 stages, source 8ed36690
    int i = 0, i_tile = i, slot_tile = slot, stage = 0;
    if (i < rounds) {
        auto compute_tile = [&]() {
            auto &slot = slot_tile;
            if (i_tile % 3 == 1)
                slot = (slot + 2) % 5;
            else if (++slot == 5)
                slot = 0;
            for (int k = 0; k < SPAN; ++k)
                sum = sum * 0.75f + span_stage[stage][k] + slot;
        };
        span_stage[0][threadIdx.x] = data[slot * SPAN + threadIdx.x];
        if (i % 3 == 1)
            slot = (slot + 2) % 5;
        else if (++slot == 5)
            slot = 0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i++; i < rounds; i++) {
            float span_next = data[slot * SPAN + threadIdx.x];
            compute_tile();
            i_tile++;
            stage ^= 1;
            span_stage[stage][threadIdx.x] = span_next;
            if (i % 3 == 1)
                slot = (slot + 2) % 5;
            else if (++slot == 5)
                slot = 0;
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source 6c228bcd
    int at_tile = at, stage = 0;
    if (at > 1) {
        span_stage[0][threadIdx.x] = data[(at & 63) * SPAN + threadIdx.x];
        at = at % 2 ? 3 * at + 1 : at / 2;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at > 1) {
            float span_next = data[(at & 63) * SPAN + threadIdx.x];
            at_tile = at_tile % 2 ? 3 * at_tile + 1 : at_tile / 2;
            ++steps;
            for (int k = 0; k < SPAN; ++k)
                sum = sum * 0.75f + span_stage[stage][k] * steps;
            stage ^= 1;
            span_stage[stage][threadIdx.x] = span_next;
            at = at % 2 ? 3 * at + 1 : at / 2;
            __syncthreads();
        }
        ++steps;
        for (int k = 0; k < SPAN; ++k)
            sum = sum * 0.75f + span_stage[stage][k] * steps;
    }
    sums[threadIdx.x] = sum;
    sums[SPAN] = at + steps;
}
