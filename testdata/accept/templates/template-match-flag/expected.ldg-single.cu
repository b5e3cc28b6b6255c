#include <cuda_runtime.h>

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
    __shared__ float window[32];
    const float *at = trace, *const end = trace + 32 * blocks;
    const float *mine = shape + 32 * threadIdx.x;
    float top = -1e30f;
    int found = -1;
    bool more;

    // pipelinify: ldg-single, 1 stage, source 0e3363d2
    auto at_tile = at;
    auto compute_tile = [&]() {
        const int first = at_tile - trace;
        at_tile += 32;

        float dot = 0.0f;
        for (int i = 0; i < 32; ++i)
            dot += window[i] * mine[i];
        if (dot > top) {
            top = dot;
            found = first;
        }
    };
    window[threadIdx.x] = at[threadIdx.x];
    at += 32;

    more = at != end;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (more) {
        float window_next = at[threadIdx.x];
        compute_tile();
        __syncthreads();
        window[threadIdx.x] = window_next;
        at += 32;
        more = at != end;
        __syncthreads();
    }
    compute_tile();

    best[threadIdx.x] = top;
    where[threadIdx.x] = found;
}
