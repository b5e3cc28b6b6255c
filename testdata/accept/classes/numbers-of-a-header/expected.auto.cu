// A template of which numbers it is made is said elsewhere: the operators that a header has
// for its own compute from their operands, whichever of them are meant.
#include "numbers.cuh"
#include <cuda_pipeline.h>

// pipelinify: launch weighed<float>
//   sizes   n=0,1,63,64,65,128,200,320
//   target  n=40000
//   grid    3
//   block   64
//   values: in  [n]
//   weight: in  [192]
//   out:    out [192]
//   n:      n
template <class Number>
__global__ void weighed(const Number *__restrict__ values, const Number *__restrict__ weight,
                        Number *__restrict__ out, int n)
{
    constexpr int stages = 8;
    __shared__ Number tile_stage[stages][64];
    Number own = weight[blockIdx.x * 64 + threadIdx.x], sum = own;
    // pipelinify: cp.async, 8 stages, source d21e79f5
    static_assert(__is_trivially_copyable(Number) && !__is_same(Number, volatile Number),
                  "Number must be plain data and not volatile");
    static_assert(__is_trivially_copyable(Number) &&
                  (sizeof(Number) == 4 || sizeof(Number) == 8 || sizeof(Number) == 16) &&
                  alignof(Number) == sizeof(Number),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            int last = min(n, first_load + 64) - first_load;
            if (threadIdx.x < last)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &values[first_load + threadIdx.x], sizeof(Number));
            first_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; first += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        int last = min(n, first + 64) - first;
        for (int j = 0; j < last; ++j)
            sum += tile_stage[stage][j] * own;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
