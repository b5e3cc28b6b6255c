// Densities of smoothed particles, all pairs: a pool whose size is an argument of the template, and of which the
// last tile fills a part.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

struct Particle
{
    float x, y, z, mass;
};

template <int TILE>
struct PoolOf
{
    Particle p[TILE];
};

__device__ __forceinline__ float w_poly6(float r2, float h2)
{
    float d = h2 - r2;
    return d > 0.f ? d * d * d : 0.f;
}

// pipelinify: launch sph_density<64>
//   sizes n=1,63,64,65,128,190,200,320
//   target n=65536
//   grid (n + 63) / 64
//   block 64
//   in:    in  [n] random
//   rho:   out [n]
//   n:     n
//   h:     0.9
template <int TILE>
__global__ void sph_density(const Particle* __restrict__ in, float* __restrict__ rho, unsigned n, float h)
{
    auto block = cg::this_thread_block();
    __shared__ PoolOf<TILE> pool;

    const unsigned gid = block.group_index().x * block.group_dim().x + block.thread_rank();
    Particle me = gid < n ? in[gid] : Particle{1e9f, 1e9f, 1e9f, 0.f};
    const float h2 = h * h;
    const float norm = 315.f / (64.f * 3.14159265f * powf(h, 9));
    float sum = 0.f;

    unsigned done = 0;
    // pipelinify: ldg-single, 1 stage, source dbee6074
    unsigned int done_tile = done;
    if (done < n)
    {
        auto compute_tile = [&]()
        {
            const unsigned count = min(static_cast<unsigned>(TILE), n - done_tile);

            for (unsigned j = 0; j < count; ++j)
            {
                const Particle& o = pool.p[j];
                const float dx = me.x - o.x, dy = me.y - o.y, dz = me.z - o.z;
                sum += o.mass * w_poly6(dx * dx + dy * dy + dz * dz, h2);
            }
            done_tile += TILE;
        };
        {
            const unsigned count = min(static_cast<unsigned>(TILE), n - done);
            if (block.thread_rank() < count)
                pool.p[block.thread_rank()] = in[done + block.thread_rank()];

            done += TILE;
        }
        cg::sync(block);
        // Main loop: fetch the next tile while computing on this one.
        while (done < n)
        {
            Particle p_next;
            const unsigned count = min(static_cast<unsigned>(TILE), n - done);
            if (block.thread_rank() < count)
                p_next = in[done + block.thread_rank()];
            compute_tile();
            cg::sync(block);
            if (block.thread_rank() < count)
                pool.p[block.thread_rank()] = p_next;
            done += TILE;
            cg::sync(block);
        }
        compute_tile();
    }
    if (gid < n)
        rho[gid] = sum * norm;
}

template __global__ void sph_density<64>(const Particle*, float*, unsigned, float);

template <int DIM>
struct Points
{
    float c[DIM][32];
};

// pipelinify: launch nearest<3>
//   sizes n=0,1,31,32,33,64,65,100,130 queries=40
//   target n=65536 queries=65536
//   grid (queries + 31) / 32
//   block 32
//   ref:   in  [3 * n] random
//   n:     n
//   query: in  [3 * queries] random
//   nq:    queries
//   best:  out [queries]
template <int DIM>
__global__ void __launch_bounds__(32) nearest(const float* __restrict__ ref, int n, const float* __restrict__ query,
                                              int nq, int* __restrict__ best)
{
    __shared__ Points<DIM> tile;
    const int q = blockIdx.x * 32 + threadIdx.x;
    float me[DIM];
    for (int k = 0; k < DIM; ++k)
        me[k] = q < nq ? query[k * nq + q] : 0.f;

    float least = 3e38f;
    int at = -1;
    // pipelinify: ldg-single, 1 stage, source a52bd119
    int base = 0, base_tile = base;
    if (base < n)
    {
        auto compute_tile = [&]()
        {
            const int count = min(32, n - base_tile);
            for (int j = 0; j < count; ++j)
            {
                float d = 0.f;
#pragma unroll
                for (int k = 0; k < DIM; ++k)
                    d += (me[k] - tile.c[k][j]) * (me[k] - tile.c[k][j]);
                if (d >= least)
                    continue;
                least = d;
                at = base_tile + j;
            }
        };
        {
            const int src = base + threadIdx.x;
            if (src < n)
            {
#pragma unroll
                for (int k = 0; k < DIM; ++k)
                    tile.c[k][threadIdx.x] = ref[k * n + src];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 32; base < n; base += 32)
        {
            float c_next[DIM];
            const int src = base + threadIdx.x;
            if (src < n)
            {
#pragma unroll
                for (int k = 0; k < DIM; ++k)
                    c_next[k] = ref[k * n + src];
            }
            compute_tile();
            base_tile += 32;
            __syncthreads();
            if (src < n)
            {
#pragma unroll
                for (int k = 0; k < DIM; ++k)
                    tile.c[k][threadIdx.x] = c_next[k];
            }
            __syncthreads();
        }
        compute_tile();
    }
    if (q < nq)
        best[q] = at;
}

template __global__ void nearest<3>(const float*, int, const float*, int, int*);
