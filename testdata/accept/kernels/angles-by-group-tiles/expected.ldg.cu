// For each query the angle to the nearest of many directions: a group of eight threads has
// a query, and shares the directions of a tile among its lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kLanes = 8;
constexpr int kQueries = 16;
constexpr int kTile = kLanes * kQueries;

__device__ float largest(const cg::thread_block_tile<kLanes> &lanes, float value)
{
    return cg::reduce(lanes, value, cg::greater<float>());
}

// pipelinify: launch nearest_angle
//   sizes    n=0,1,127,128,129,256,700 m=16,33
//   target   n=1000000 m=4096
//   grid     (m + 15) / 16
//   block    128
//   directions: in  [n + 1] range(-1, 1)
//   queries:    in  [m] range(-1, 1)
//   cosine:     out [m]
//   n:          n
//   m:          m
__global__ void nearest_angle(const float3 *__restrict__ directions, const float3 *__restrict__ queries,
                              float *__restrict__ cosine, int n, int m)
{
    __shared__ float3 tile_stage[2][kTile];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<kLanes> lanes = cg::tiled_partition<kLanes>(block);
    const int query = blockIdx.x * kQueries + lanes.meta_group_rank();
    const float3 q = query < m ? queries[query] : make_float3(0.f, 0.f, 0.f);
    float best = -2.f;

    // pipelinify: ldg, 2 stages, source 202de976
    int first = 0, first_tile = first, stage = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            const int left = min(kTile, n - first_tile);
            float mine = -2.f;
            for (int i = lanes.thread_rank(); i < left; i += lanes.size()) {
                const float3 d = tile_stage[stage][i];
                mine = fmaxf(mine, d.x * q.x + d.y * q.y + d.z * q.z);
            }
            best = fmaxf(best, largest(lanes, mine));
        };
        {
            const int left = min(kTile, n - first);
            if (block.thread_rank() < left)
                tile_stage[0][block.thread_rank()] = directions[first + block.thread_rank()];
        }
        block.sync();
        // Main loop: fetch the next tile while computing on this one.
        for (first += kTile; first < n; first += kTile) {
            float3 tile_next;
            const int left = min(kTile, n - first);
            if (block.thread_rank() < left)
                tile_next = directions[first + block.thread_rank()];
            compute_tile();
            first_tile += kTile;
            stage ^= 1;
            if (block.thread_rank() < left)
                tile_stage[stage][block.thread_rank()] = tile_next;
            block.sync();
        }
        compute_tile();
    }

    if (lanes.thread_rank() == 0 && query < m)
        cosine[query] = best;
}
