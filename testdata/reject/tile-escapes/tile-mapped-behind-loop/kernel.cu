#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Rows of different lengths. Behind the loop each block compares its last tile
// with that of its neighbour in the cluster, which may have seen more tiles, so
// that with stages the two would lie in different ones.
__global__ void __cluster_dims__(2, 1, 1)
row_tails(const float *__restrict__ x, const int *__restrict__ tiles_of, float *__restrict__ out)
{
    __shared__ float tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    float acc = 0.f;

    // pipelinify: variant=cp.async
    for (int k = 0; k < tiles_of[blockIdx.x]; ++k) {
        tile[t] = x[(k * gridDim.x + blockIdx.x) * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            acc += tile[j];
        __syncthreads();
    }
    cluster.sync();
    const float *peer = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + t] = acc + fabsf(tile[t] - peer[t]);
    cluster.sync();
}
