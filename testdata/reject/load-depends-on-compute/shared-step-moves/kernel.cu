// Distances between reference and query points that lie in columns. Where the tiles of
// a block begin, and how far apart they are, is kept in shared memory and changes
// on the way.
#include <cuda_runtime.h>
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
    __shared__ float ref_tile[BLOCK_DIM][BLOCK_DIM];
    __shared__ float query_tile[BLOCK_DIM][BLOCK_DIM];
    __shared__ int begin_query, begin_ref, step_query, step_ref, end_query;

    const int tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0 && ty == 0) {
        begin_query = BLOCK_DIM * blockIdx.y;
        begin_ref = BLOCK_DIM * blockIdx.x;
        step_query = BLOCK_DIM * queries;
        step_ref = BLOCK_DIM * refs;
        end_query = begin_query + (dim - 1) * queries;
    }
    __syncthreads();

    const bool loads_query = begin_query + tx < queries, loads_ref = begin_ref + tx < refs;
    const bool stores = begin_query + ty < queries && loads_ref;
    float sum = 0.0f;
    for (int q = begin_query, r = begin_ref; q <= end_query; q += step_query, r += step_ref) {
        const bool inside = q / queries + ty < dim;
        query_tile[ty][tx] = inside && loads_query ? query[q + queries * ty + tx] : 0.0f;
        ref_tile[ty][tx] = inside && loads_ref ? ref[r + refs * ty + tx] : 0.0f;
        __syncthreads();
        if (stores)
            for (int k = 0; k < BLOCK_DIM; ++k) {
                const float d = query_tile[k][ty] - ref_tile[k][tx];
                sum += d * d;
            }
        if (tx == 0 && ty == 0 && q > 4 * step_query)
            step_query = 2 * BLOCK_DIM * queries;
        __syncthreads();
    }
    if (stores)
        dist[(begin_query + ty) * refs + begin_ref + tx] = sum;
}
