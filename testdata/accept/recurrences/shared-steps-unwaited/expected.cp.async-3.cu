// Distances between reference and query points that lie in columns. Where the tiles of
// a block begin, and how far apart they are, is kept in shared memory. The steps
// are there behind the first barrier of the loop, and not before: one more stands ahead of it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define BLOCK_DIM 16

// pipelinify: launch point_distances
//   sizes    queries=16,20 refs=16,33 dim=1,16,20,32,50
//   target   queries=4096 refs=4096 dim=128
//   grid     (refs + 15) / 16, (queries + 15) / 16
//   block    16, 16
//   ref:     in  [refs * dim]
//   query:   in  [queries * dim]
//   dist:    out [queries * refs]
//   refs:    refs
//   queries: queries
//   dim:     dim
__global__ void point_distances(const float *__restrict__ ref, const float *__restrict__ query, float *__restrict__ dist,
                                int refs, int queries, int dim)
{
    constexpr int stages = 3;
    __shared__ float ref_tile_stage[stages][BLOCK_DIM][BLOCK_DIM];
    __shared__ float query_tile_stage[stages][BLOCK_DIM][BLOCK_DIM];
    __shared__ int begin_query, begin_ref, step_query, step_ref, end_query;

    const int tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0 && ty == 0) {
        begin_query = BLOCK_DIM * blockIdx.y;
        begin_ref = BLOCK_DIM * blockIdx.x;
        end_query = begin_query + (dim - 1) * queries;
    }
    __syncthreads();

    const bool loads_query = begin_query + tx < queries, loads_ref = begin_ref + tx < refs;
    const bool stores = begin_query + ty < queries && loads_ref;
    if (tx == 0 && ty == 0) {
        step_query = BLOCK_DIM * queries;
        step_ref = BLOCK_DIM * refs;
    }
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source a4df46c5
    int q = begin_query, r = begin_ref, q_load = q, r_load = r, stage = 0;
    if (q_load <= end_query) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (q_load <= end_query) {
            const bool inside = q_load / queries + ty < dim;
            __pipeline_memcpy_async(&query_tile_stage[load_stage][ty][tx], &query[q_load + queries * ty + tx],
                                    sizeof(float), (inside && loads_query) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&ref_tile_stage[load_stage][ty][tx], &ref[r_load + refs * ty + tx], sizeof(float),
                                    (inside && loads_ref) ? 0 : sizeof(float));
            q_load += step_query, r_load += step_ref;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (q <= end_query) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        if (stores)
            for (int k = 0; k < BLOCK_DIM; ++k) {
                const float d = query_tile_stage[stage][k][ty] - ref_tile_stage[stage][k][tx];
                sum += d * d;
            }
        q += step_query, r += step_ref;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    if (stores)
        dist[(begin_query + ty) * refs + begin_ref + tx] = sum;
}
