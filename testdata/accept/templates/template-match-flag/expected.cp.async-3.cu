#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// Spike sorting: how well does each template match a long trace? The loop ends by
// a flag that is set behind the loads, from the pointer that has moved on.
// pipelinify: launch best_match
//   sizes    blocks=1,2,3,5,6 templates=32
//   target   blocks=512 templates=32
//   block    32
//   trace:   in  [blocks * 32]
//   shape:   in  [templates * 32]
//   best:    out [templates]
//   where:   out [templates]
//   blocks:  blocks
__global__ void best_match(const float *__restrict__ trace, const float *__restrict__ shape,
                           float *__restrict__ best, int *__restrict__ where, int blocks)
{
    constexpr int stages = 3;
    __shared__ float window_stage[stages][32];
    const float *at = trace, *const end = trace + 32 * blocks;
    const float *mine = shape + 32 * threadIdx.x;
    float top = -1e30f;
    int found = -1;
    bool more;

    // pipelinify: cp.async, 3 stages, source 0e3363d2
    auto at_load = at;
    bool more_load;
    bool more2 = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more2) {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x], &at_load[threadIdx.x],
                                    sizeof(float));
            at_load += 32;

            more_load = at_load != end;
            more2 = more_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    do {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int first = at - trace;
        at += 32;

        float dot = 0.0f;
        for (int i = 0; i < 32; ++i)
            dot += window_stage[stage][i] * mine[i];
        if (dot > top) {
            top = dot;
            found = first;
        }
        more = at != end;
        stage = stage == stages - 1 ? 0 : stage + 1;
    } while (more);
    __pipeline_wait_prior(0);

    best[threadIdx.x] = top;
    where[threadIdx.x] = found;
}
